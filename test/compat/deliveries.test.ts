import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createBucket } from '@moonbase/client/repositories';
import { createWebhook, listDeliveries } from '@moonbase/client/webhooks';
import type { WebhookPayload } from '@moonbase/contract/webhooks/payload';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { programOf } from './python-clients.ts';
import { startWorld, storyFile, type World } from './world.ts';

const SECRET = 'hush';
const MAX_WAIT_MS = 300_000;

interface Receiver {
  readonly url: string;
  /** The payloads that the server parsed, in order of arrival. */
  readonly payloads: WebhookPayload[];
  /** Waits until this number of payloads has arrived. */
  arrivals(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `huggingface_hub.WebhooksServer`, which parses each delivery with its own `WebhookPayload`. */
async function startReceiver(env: Record<string, string>): Promise<Receiver> {
  const child = spawn(programOf('newest', 'python'), [storyFile('receive'), SECRET], {
    env: { ...env, GRADIO_ANALYTICS_ENABLED: 'False' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const payloads: WebhookPayload[] = [];
  const lines = createInterface({ input: child.stdout });
  const url = new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      if (!line.startsWith('{')) return;
      const said = JSON.parse(line) as WebhookPayload | { listening: string };
      if ('listening' in said) resolve(said.listening);
      else payloads.push(said);
    });
    lines.on('close', () => reject(new Error('The receiver ended before it listened')));
  });
  return {
    url: await url,
    payloads,
    async arrivals(count) {
      const signal = AbortSignal.timeout(MAX_WAIT_MS);
      while (payloads.length < count) await once(lines, 'line', { signal });
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  world = await startWorld();
  receiver = await startReceiver(world.environment());
});
afterAll(async () => {
  await receiver.stop();
  await world[Symbol.asyncDispose]();
});

/** One entry for each change of `changes.py`, in the same order. */
const EVENTS = [
  'repo/create',
  'repo.content/update',
  'repo.content/update',
  'repo.content/update',
  'repo.config/update',
  'discussion/create',
  'discussion.comment/create',
  'discussion.comment/update',
  'discussion.comment/update',
  'discussion/update',
  'discussion/update',
  'discussion/create',
  'repo.content/update',
  'discussion/update',
  'repo.content/update',
  'discussion/update',
  'discussion/update',
  'discussion/delete',
  'repo/move',
  'repo/delete',
];

test('the WebhooksServer of huggingface_hub understands a delivery of every kind', async () => {
  await world.python('changes', { url: `${receiver.url}webhooks/all`, secret: SECRET });
  await receiver.arrivals(EVENTS.length);
  const { payloads } = receiver;
  expect(payloads.map(({ event }) => `${event.scope}/${event.action}`).sort()).toEqual([...EVENTS].sort());
  const only = (scope: string, action: string) =>
    payloads.filter(({ event }) => event.scope === scope && event.action === action);

  const [created] = only('repo', 'create');
  expect(created?.repo).toMatchObject({
    type: 'space',
    name: 'acme/lander',
    private: false,
    subdomain: 'acme-lander',
    url: { web: `${world.hubUrl}/spaces/acme/lander`, api: `${world.hubUrl}/api/spaces/acme/lander` },
  });
  expect(created?.webhook.version).toBe(3);
  const refs = only('repo.content', 'update').flatMap(({ updatedRefs = [] }) => updatedRefs.map(({ ref }) => ref));
  expect(new Set(refs)).toEqual(new Set(['refs/heads/descent', 'refs/tags/v1.0', 'refs/pr/2', 'refs/heads/main']));
  expect(only('repo', 'move')[0]?.movedTo?.name).toBe('alice/lander');

  const opened = only('discussion', 'create').find(({ discussion }) => discussion?.num === 1);
  expect(opened?.discussion).toMatchObject({ title: 'Where do we land?', status: 'open', isPullRequest: false });
  expect(opened?.comment).toMatchObject({ content: 'Any preference?', hidden: false });
  expect(only('discussion.comment', 'update').map(({ comment }) => [comment?.hidden, comment?.content])).toEqual(
    expect.arrayContaining([
      [false, 'Mare Tranquillitatis'],
      [true, undefined],
    ]),
  );
  expect(only('discussion', 'update').filter(({ discussion }) => discussion?.pinned)).toHaveLength(1);
  const merged = only('discussion', 'update').find(({ discussion }) => discussion?.status === 'merged');
  expect(merged?.discussion?.changes?.mergeCommitId).toMatch(/^[0-9a-f]{40}$/);
});

test('the WebhooksServer refuses events of buckets, which its WebhookPayload does not know', async () => {
  const alice = world.as('alice');
  const { webhook } = await createWebhook({
    ...alice,
    webhook: {
      url: `${receiver.url}webhooks/all`,
      secret: SECRET,
      domains: ['repo'],
      watched: [{ type: 'bucket', name: 'acme/pail' }],
    },
  });
  await createBucket({ ...alice, repo: 'acme/pail' });
  await vi.waitFor(
    async () => {
      const log = [];
      for await (const entry of listDeliveries({ ...alice, webhookId: webhook.id })) log.push(entry);
      expect(log).toMatchObject([{ event: { scope: 'repo', action: 'create' }, responseStatus: 422 }]);
    },
    { timeout: MAX_WAIT_MS, interval: 50 },
  );
});
