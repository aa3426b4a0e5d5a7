import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { createBucket, createRepo } from '@moonbase/client/repositories';
import {
  createWebhook,
  type DeliveryDetails,
  getDelivery,
  listDeliveries,
  replayDelivery,
  rotateWebhookSecret,
} from '@moonbase/client/webhooks';
import { createReceiver, EVENT_NAMES, type ReceiverOptions, type WebhookPayload } from '@moonbase/receiver';
import { describe, expect, test, vi } from 'vitest';
import { changes } from '../../demo/changes.ts';
import { ADAPTER_NAMES, serveWith } from '../../packages/receiver/test/adapters.ts';
import { keptLog } from '../../packages/receiver/test/messages.ts';
import { SECOND } from '../../packages/server/test/clock.ts';
import { collect, person, startHub } from '../../packages/server/test/harness.ts';

interface Given extends ReceiverOptions {
  /** The webhook's secret at the hub: `hush` by default, null for none. */
  readonly hubSecret?: string | null;
}

/** Starts a hub and a receiver; a webhook on alice and acme connects them. */
async function line(adapter: string, { hubSecret = 'hush', ...options }: Given = {}) {
  const hub = await startHub({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1' });
  await hub.apply({
    users: [person('alice'), person('bob')],
    organizations: [
      {
        name: 'acme',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'bob', role: 'read' },
        ],
      },
    ],
  });
  const onError = vi.fn();
  const receiver = createReceiver({ secret: 'hush', log: keptLog(), now: () => hub.clock.now(), onError, ...options });
  const served = await serveWith(adapter, receiver);
  const alice = hub.as('alice');
  const { webhook } = await createWebhook({
    ...alice,
    webhook: {
      url: `${served.url}/webhooks/hook`,
      domains: ['repo', 'discussion'],
      watched: [
        { type: 'user', name: 'alice' },
        { type: 'org', name: 'acme' },
      ],
      ...(hubSecret !== null && { secret: hubSecret }),
    },
  });
  const one = { ...alice, webhookId: webhook.id };
  return {
    hub,
    alice,
    bob: hub.as('bob'),
    receiver,
    onError,
    one,
    /** Creates a repository and lets the hub deliver the event; returns the newest entry of the log. */
    async event(repo: string) {
      await createRepo({ ...alice, repo });
      await hub.drain();
      return newest();
    },
    newest,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };

  async function newest(): Promise<{ status: string; answers: [number | undefined, unknown][]; id: string }> {
    const [entry] = await collect(listDeliveries(one));
    const { status, deliveryAttempts, id }: DeliveryDetails = await getDelivery({ ...one, logId: entry!.id });
    return { id, status, answers: deliveryAttempts.map((attempt) => [attempt.responseStatus, attempt.responseBody]) };
  }
}

const secretOf = (adapter: string) => `${adapter} is a secret`;

describe.each(ADAPTER_NAMES)('behind %s', (adapter) => {
  test('a delivery of every kind arrives once, verified, and with the data of its type', async () => {
    const secret = secretOf(adapter);
    await using hook = await line(adapter, { secret, hubSecret: secret });
    const heard: WebhookPayload[] = [];
    const topics: string[] = [];
    hook.receiver.addWebhook(function hook(payload) {
      heard.push(payload);
    });
    for (const name of EVENT_NAMES) hook.receiver.on(name, () => topics.push(name));
    const expected: string[] = [];
    for (const change of changes(hook.alice, hook.bob)) {
      await change.run();
      await hook.hub.drain();
      expected.push(...change.events.map((event) => event.replace('/', '.')));
    }
    expect(topics.sort()).toEqual(expected.sort());
    for (const { event, discussion, comment, updatedRefs, updatedConfig, movedTo, repo } of heard) {
      const { scope, action } = event;
      expect(discussion !== undefined, scope).toBe(scope.startsWith('discussion'));
      if (scope === 'discussion.comment' || (scope === 'discussion' && action === 'create'))
        expect(comment?.hidden === false ? typeof comment.content : comment?.content).toBe(
          comment?.hidden ? undefined : 'string',
        );
      expect(updatedRefs !== undefined).toBe(scope === 'repo.content');
      expect(updatedConfig !== undefined).toBe(scope === 'repo.config');
      expect(movedTo !== undefined).toBe(action === 'move');
      expect(repo.headSha !== undefined).toBe(scope.startsWith('repo'));
    }
    const log = await collect(listDeliveries(hook.one));
    expect(log.map(({ status, attempts, responseStatus }) => [status, attempts, responseStatus])).toEqual(
      expected.map(() => ['delivered', 1, 200]),
    );
  });

  test('events of buckets arrive as well', async () => {
    await using hook = await line(adapter);
    hook.receiver.addWebhook('hook', ({ repo }) => repo.type);
    await createBucket({ ...hook.alice, repo: 'acme/pail' });
    await hook.hub.drain();
    expect((await hook.newest()).answers).toEqual([[200, '"bucket"']]);
  });

  test.each<[string, Given, number, string]>([
    ['no secret', { hubSecret: null }, 401, '{"error":"x-webhook-secret header not set."}'],
    ['another secret', { hubSecret: 'other' }, 403, '{"error":"Invalid webhook secret."}'],
    ['a wrong clock', { now: () => 0 }, 403, '{"error":"webhook-timestamp is not within five minutes of now."}'],
  ])('a hub with %s is refused', async (_, given, status, body) => {
    await using hook = await line(adapter, given);
    const handler = vi.fn();
    hook.receiver.addWebhook('hook', handler);
    const { answers } = await hook.event('alice/letters');
    expect(answers).toEqual([[status, body]]);
    expect(handler).not.toHaveBeenCalled();
  });

  test('a handler that fails is called again, and its success is remembered', async () => {
    await using hook = await line(adapter);
    const ids: unknown[] = [];
    hook.receiver.addWebhook('hook', (_, { id }) => {
      ids.push(id);
      if (ids.length === 1) throw new Error('not yet');
      return 'done';
    });
    await hook.event('alice/letters');
    hook.hub.clock.advance(SECOND);
    await hook.hub.drain();
    const { id, status, answers } = await hook.newest();
    expect(answers).toEqual([
      [500, '{"error":"The handler failed."}'],
      [200, '"done"'],
    ]);
    expect([status, ids]).toEqual(['delivered', [id, id]]);
    expect(hook.onError).toHaveBeenCalledOnce();
  });

  test('slow work gets the answer 202, which the hub counts as delivered', async () => {
    await using hook = await line(adapter, { answerWithin: 1 });
    let finish = () => {};
    const finished = vi.fn();
    hook.receiver.addWebhook('hook', async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      finished();
    });
    expect(await hook.event('alice/letters')).toMatchObject({
      status: 'delivered',
      answers: [[202, '{"accepted":true}']],
    });
    expect(finished).not.toHaveBeenCalled();
    finish();
    await hook.receiver.idle();
    expect(finished).toHaveBeenCalledOnce();
  });
});

describe('a webhook secret', () => {
  test.each([
    ['that a header cannot carry', 'ends with a blank '],
    ['in the form of Standard Webhooks', `whsec_${Buffer.from('a key of twenty-four byte').toString('base64')}`],
    ['in that form, oddly long', `whsec_${'A'.repeat(25)}`],
    ['in that form, too short to count', 'whsec_AAAA'],
  ])('may be one %s', async (_, secret) => {
    await using hook = await line('Web', { secret, hubSecret: secret });
    hook.receiver.addWebhook('hook', () => 'heard');
    expect((await hook.event('alice/letters')).answers).toEqual([[200, '"heard"']]);
  });

  test('can be rotated: receivers with the old one, the new one or both continue', async () => {
    await using hook = await line('node:http', { secret: 'old', hubSecret: 'old' });
    const handler = vi.fn();
    hook.receiver.addWebhook('hook', handler);
    await rotateWebhookSecret({ ...hook.one, secret: 'new' });
    expect((await hook.event('alice/one')).answers).toEqual([[200, 'null']]);
    for (const secret of ['new', ['new', 'old'], ['other', 'old']]) {
      await using other = await line('node:http', { secret, hubSecret: 'old' });
      other.receiver.addWebhook('hook', handler);
      await rotateWebhookSecret({ ...other.one, secret: 'new' });
      expect((await other.event('alice/one')).answers).toEqual([[200, 'null']]);
    }
    expect(handler).toHaveBeenCalledTimes(4);
  });

  test('is optional: a receiver without a secret accepts everything', async () => {
    await using hook = await line('node:http', { secret: [], hubSecret: null });
    hook.receiver.addWebhook('hook', () => 'heard');
    expect((await hook.event('alice/letters')).answers).toEqual([[200, '"heard"']]);
  });
});

test('a replay is a delivery of its own, and is handled again', async () => {
  await using hook = await line('node:http');
  const ids = new Set<unknown>();
  hook.receiver.addWebhook('hook', (_, { id }) => ids.add(id).size);
  const { id } = await hook.event('alice/letters');
  expect(await replayDelivery({ ...hook.one, logId: id })).toMatchObject({ status: 200 });
  expect(ids.size).toBe(2);
});

test('handlers may call the hub: a bot greets everybody who opens a discussion', async () => {
  await using hook = await line('node:http');
  await createRepo({ ...hook.alice, repo: 'acme/bert' });
  hook.receiver.on('discussion.create', async ({ repo, discussion }) => {
    await commentDiscussion({
      ...hook.alice,
      type: 'model',
      repo: repo.name,
      num: discussion.num,
      comment: 'Welcome!',
    });
  });
  const greeted = vi.fn();
  hook.receiver.on('discussion.comment.create', ({ comment }) => greeted(comment.content));
  hook.receiver.addWebhook('hook', () => undefined);
  await createDiscussion({
    ...hook.bob,
    type: 'model',
    repo: 'acme/bert',
    title: 'Hello there',
    description: 'It is me.',
  });
  await hook.hub.drain();
  expect(greeted.mock.calls).toEqual([['Welcome!']]);
});
