import { setTimeout as pause } from 'node:timers/promises';
import { applyHub } from '@moonbase/client/admin';
import { changeBucketFiles, streamBucketChanges } from '@moonbase/client/content';
import { createDiscussion } from '@moonbase/client/discussions';
import { removeMember } from '@moonbase/client/members';
import { streamNotifications } from '@moonbase/client/notifications';
import { createBranch, createBucket, createRepo } from '@moonbase/client/repositories';
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '@moonbase/client/webhooks';
import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createHub } from '../src/hub.ts';
import { channelTo } from '../src/platform/database/channel.ts';
import { openDatabase } from '../src/platform/database/transaction.ts';
import { type Connection, person, tokenOf } from './harness.ts';
import { startReceiver } from './receiver.ts';
import { createTestDatabase, engine, type TestDatabase } from './test-database.ts';

const ADMIN = 'hf_administratorOfTests';
const silent = pino({ level: 'silent' });

/** Starts a process of a hub with the real clock and its background work. */
async function start(environment: Readonly<Record<string, string>>, role: string) {
  const settings = { MOONBASE_PORT: '0', MOONBASE_ADMIN_TOKEN: ADMIN, ...environment, MOONBASE_ROLE: role };
  const hub = await createHub(readConfig(settings), { logger: silent });
  await hub.prepare();
  const hubUrl = await hub.start();
  const connect = (accessToken: string): Connection => ({ hubUrl, accessToken, fetch, retry: false });
  return {
    admin: connect(ADMIN),
    as: (user: string) => connect(tokenOf(user)),
    [Symbol.asyncDispose]: () => hub.stop(),
  };
}

/** Tells the connections of the test of channels from others. */
const CHANNELS = `channels of ${process.pid}`;
const named = ({ environment: { MOONBASE_DATABASE_URL = '' } }: TestDatabase) => {
  const url = new URL(MOONBASE_DATABASE_URL);
  url.searchParams.set('application_name', CHANNELS);
  return url.href;
};

const until = (condition: () => boolean) => expect.poll(condition, { interval: 5 }).toBe(true);

describe.runIf(engine === 'postgres')('a change at one process', () => {
  /**
   * Starts a hub of an API process and a worker, with a webhook of ada on a repository of acme and many pending
   * deliveries.
   */
  async function startFixture() {
    const database = await createTestDatabase();
    const receiver = await startReceiver();
    const api = await start(database.environment, 'api');
    const worker = await start(database.environment, 'worker');
    await applyHub({
      ...api.admin,
      document: {
        users: ['ada', 'bob'].map(person),
        organizations: [
          {
            name: 'acme',
            members: [
              { user: 'ada', role: 'write' },
              { user: 'bob', role: 'admin' },
            ],
          },
        ],
        repos: [{ type: 'model', name: 'acme/bert', private: true }],
      },
    });
    const watched = [{ type: 'model' as const, name: 'acme/bert' }];
    const settings = { url: receiver.url, watched, domains: ['repo' as const], secret: 'old' };
    const { webhook } = await createWebhook({ ...api.as('ada'), webhook: settings });
    let made = 0;
    const branch = () => createBranch({ ...api.as('bob'), type: 'model', repo: 'acme/bert', branch: `b${made++}` });
    return {
      api,
      settings,
      receiver,
      one: { ...api.as('ada'), webhookId: webhook.id },
      branch,
      /** Creates enough deliveries that the worker prefetches some. */
      async burst() {
        await Promise.all(Array.from({ length: 150 }, branch));
        await until(() => receiver.received.length > 0);
      },
      async [Symbol.asyncDispose]() {
        await worker[Symbol.asyncDispose]();
        await api[Symbol.asyncDispose]();
        await receiver[Symbol.asyncDispose]();
        await database[Symbol.asyncDispose]();
      },
    };
  }

  type Fixture = Awaited<ReturnType<typeof startFixture>>;

  /** Returns the deliveries that the receiver gets in the second after a change, while more are pending. */
  async function aSecondAfter(fixture: Fixture, change: () => Promise<unknown>) {
    await fixture.burst();
    await change();
    await pause(1000);
    const before = fixture.receiver.received.length;
    for (let at = 0; at < 5; at++) await fixture.branch();
    await pause(300);
    return fixture.receiver.received.slice(before);
  }

  test('applies to deliveries of another a second later: a new target', async () => {
    await using fixture = await startFixture();
    await using moved = await startReceiver();
    const change = () => updateWebhook({ ...fixture.one, webhook: { ...fixture.settings, url: moved.url } });
    expect(await aSecondAfter(fixture, change)).toEqual([]);
    expect(moved.received.length).toBeGreaterThanOrEqual(5);
  });

  test('… a new secret, which signs all deliveries', async () => {
    await using fixture = await startFixture();
    const received = await aSecondAfter(fixture, () => rotateWebhookSecret({ ...fixture.one, secret: 'new' }));
    expect(received.length).toBeGreaterThanOrEqual(5);
    expect(new Set(received.map(({ headers }) => headers['x-webhook-secret']))).toEqual(new Set(['new']));
  });

  test.each([
    ['a webhook that is turned off', (fixture: Fixture) => disableWebhook(fixture.one)],
    ['one that is deleted', (fixture: Fixture) => deleteWebhook(fixture.one)],
    [
      'a member who was removed',
      (fixture: Fixture) => removeMember({ ...fixture.api.as('bob'), name: 'acme', username: 'ada' }),
    ],
  ])('… %s', async (_what, change) => {
    await using fixture = await startFixture();
    expect(await aSecondAfter(fixture, () => change(fixture))).toEqual([]);
  });
});

describe.runIf(engine === 'postgres')('processes wake each other', () => {
  test('a stream at one process shows at once what another process produces', async () => {
    await using database = await createTestDatabase();
    await using api = await start(database.environment, 'api');
    await using _worker = await start(database.environment, 'worker');
    await applyHub({ ...api.admin, document: { users: ['ada', 'bob'].map(person) } });
    await createRepo({ ...api.as('ada'), repo: 'ada/bert' });
    const closing = new AbortController();
    const stream = streamNotifications({ ...api.as('ada'), signal: closing.signal });
    expect(await stream.next()).toMatchObject({ value: { event: 'count' } });
    const startedAt = performance.now();
    await createDiscussion({ ...api.as('bob'), type: 'model', repo: 'ada/bert', title: 'News', description: '@ada' });
    expect(await stream.next()).toMatchObject({ value: { event: 'count', data: { unread: 1 } } });
    // Without a message from the worker, the stream polls only every 15 s.
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    closing.abort();
  });

  test('who follows a bucket at one process learns at once of changes at another one', async () => {
    await using database = await createTestDatabase();
    await using one = await start(database.environment, 'api');
    await using other = await start(database.environment, 'api');
    await applyHub({ ...one.admin, document: { users: ['ada'].map(person) } });
    await createBucket({ ...one.as('ada'), repo: 'ada/data' });
    const closing = new AbortController();
    const stream = streamBucketChanges({ ...one.as('ada'), repo: 'ada/data', signal: closing.signal });
    expect(await stream.next()).toMatchObject({ value: { event: 'ready' } });
    const startedAt = performance.now();
    const operations = new Blob([JSON.stringify({ type: 'addFile', path: 'a', xetHash: '0'.repeat(64) })]);
    await changeBucketFiles({ ...other.as('ada'), repo: 'ada/data', operations });
    expect(await stream.next()).toMatchObject({ value: { event: 'changes', data: { changes: [{ path: 'a' }] } } });
    // Without a message from the other process, the stream looks only every 15 s.
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    closing.abort();
  });

  test('through a dedicated connection, separately for each hub, and again after it broke', async () => {
    await using database = await createTestDatabase();
    await using foreign = await createTestDatabase();
    const heard: string[] = [];
    let connections = 0;
    const listen = (name: string, where: TestDatabase) =>
      channelTo(named(where), silent)!({
        onMessage: (text) => heard.push(`${name}: ${text}`),
        connected: () => {
          connections += 1;
        },
      });
    await using one = listen('one', database);
    await using _two = listen('two', database);
    await using _other = listen('other', foreign);
    await one.send(['before there is a connection']);
    await until(() => connections === 3);
    await one.send(['hello', "it's \\ \n fine"]);
    await until(() => heard.length === 2);
    expect(heard).toEqual(['two: hello', "two: it's \\ \n fine"]);
    const side = openDatabase({ url: named(database) });
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${CHANNELS} and pid <> pg_backend_pid()`.execute(side.read);
    await side[Symbol.asyncDispose]();
    await until(() => connections === 6);
    await one.send(['again']);
    await until(() => heard.length === 3);
    expect(heard[2]).toBe('two: again');
  });
});
