import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyHub } from '@moonbase/client/admin';
import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { getNotificationPage } from '@moonbase/client/notifications';
import { createWebhook, getDeliveryPage } from '@moonbase/client/webhooks';
import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import type { z } from 'zod';
import { startHubProcess } from '../hub-process.ts';

/** The token is long enough for a hub that others can reach. */
const ADMIN_TOKEN = `hf_${randomBytes(24).toString('hex')}`;
const MAX_WAIT_MS = 120_000;

export interface World extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  /** Stops the hub and starts it again at the same address; calls `between` while it is stopped. */
  restart(between?: () => Promise<unknown>): Promise<void>;
  /** Returns the link that the hub printed for its first administrator. */
  setupLink(): Promise<string>;
  readonly admin: { readonly hubUrl: string; readonly accessToken: string };
  /** Returns the connection of a user with the token `tokenOf(name)`. */
  as(user: string): { readonly hubUrl: string; readonly accessToken: string };
  apply(document: z.input<typeof HubDocument>): Promise<unknown>;
}

export const tokenOf = (user: string): string => `hf_tokenOf${user.replaceAll('-', '')}00`;

export const person = (name: string, fullname = name) => ({
  name,
  fullname,
  tokens: [{ name: 'laptop', role: 'write' as const, token: tokenOf(name) }],
});

/** Starts the built hub as operators run it, with an empty database of its own. */
export async function startWorld(settings: Readonly<Record<string, string>> = {}): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-browser-'));
  const given = {
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: ADMIN_TOKEN,
    MOONBASE_JOBS_RUNNER: 'process',
    ...settings,
  };
  let hub = await startHubProcess(given);
  const admin = { hubUrl: hub.url, accessToken: ADMIN_TOKEN };
  return {
    url: hub.url,
    folder,
    async restart(between = async () => {}) {
      await hub.stop();
      await between();
      hub = await startHubProcess({ ...given, MOONBASE_PORT: new URL(hub.url).port });
    },
    setupLink: () =>
      until(
        async () => /^Set up the hub at (\S+)\n/m.exec(hub.printed())?.[1] ?? '',
        (link) => link !== '',
      ),
    admin,
    as: (user) => ({ hubUrl: hub.url, accessToken: tokenOf(user) }),
    apply: (document) => applyHub({ ...admin, document }),
    async [Symbol.asyncDispose]() {
      await hub.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Asks until the answer is right. */
export async function until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (const end = Date.now() + MAX_WAIT_MS; ; ) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    if (Date.now() > end) throw new Error(`It did not come to be: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  status: number;
  /** The `X-Webhook-Secret` headers of the requests, in order of arrival. */
  readonly secrets: (string | string[] | undefined)[];
}

/** Starts a server that answers deliveries with its `status`. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    receiver.secrets.push(request.headers['x-webhook-secret']);
    request.resume().on('end', () => response.writeHead(receiver.status, { 'x-powered-by': 'tests' }).end('thanks'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    status: 200,
    secrets: [],
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return receiver;
}

const TITLES = [
  'The tokenizer splits numbers apart',
  'Add evaluation results',
  'Which licence is it?',
  'Fine-tuning on a single GPU',
  'Wrong label in the test split',
  'Publish the training script',
];

/** Starts a hub with alice, who is admin of acme, has unread notifications, and has a webhook with deliveries. */
export async function startFilledWorld(): Promise<World & { webhookId: string; receiver: Receiver }> {
  const world = await startWorld();
  const receiver = await startReceiver();
  await world.apply({
    users: [person('alice', 'Alice Moreau'), person('bob', 'Bob Lindgren'), person('carol', 'Carol Adeyemi')],
    organizations: [
      {
        name: 'acme',
        fullname: 'Acme Labs',
        plan: 'plus',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'bob', role: 'write' },
          { user: 'carol', role: 'read' },
        ],
      },
    ],
    repos: [
      { type: 'model', name: 'acme/bert' },
      { type: 'dataset', name: 'acme/letters', private: true },
      { type: 'model', name: 'alice/tiny' },
    ],
  });
  const alice = world.as('alice');
  const { webhook } = await createWebhook({
    ...alice,
    webhook: {
      url: receiver.url,
      watched: [
        { type: 'org', name: 'acme' },
        { type: 'model', name: 'alice/tiny' },
      ],
      domains: ['repo', 'discussion'],
      secret: 'hush',
    },
  });
  const bob = world.as('bob');
  for (const [at, title] of TITLES.entries()) {
    const where =
      at % 3 === 2
        ? ({ type: 'dataset', repo: 'acme/letters' } as const)
        : ({ type: 'model', repo: 'acme/bert' } as const);
    const pullRequest = at % 3 === 1;
    const { num } = await createDiscussion({
      ...bob,
      ...where,
      title,
      pullRequest,
      description: `@alice ${title}, see \`config.json\`.`,
    });
    if (at % 2 === 0)
      await commentDiscussion({ ...world.as('carol'), ...where, num, comment: '**Yes**, I see it, too.' });
  }
  const one = { ...alice, webhookId: webhook.id };
  await until(
    () => getDeliveryPage({ ...one, status: 'delivered' }),
    ({ entries }) => entries.length >= TITLES.length + 3,
  );
  await until(
    () => getNotificationPage(alice),
    ({ count }) => count.all === TITLES.length,
  );
  return {
    ...world,
    webhookId: webhook.id,
    receiver,
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
