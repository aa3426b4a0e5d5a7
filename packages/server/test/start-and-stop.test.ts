import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyHub } from '@moonbase/client/admin';
import { getUserOverview, whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { getReplay, replayDeliveries } from '@moonbase/client/webhook-replays';
import { createWebhook, listDeliveries, testWebhook } from '@moonbase/client/webhooks';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createHub, type Overrides } from '../src/hub.ts';
import { openDatabase } from '../src/platform/database/transaction.ts';
import { LEASE_MS, leaseLanes } from '../src/platform/queue/lease-store.ts';
import { waitingLanes } from '../src/webhooks/delivery/queue-store.ts';
import { createTestClock, HOUR, MINUTE, SECOND } from './clock.ts';
import { contractFetch } from './contract-fetch.ts';
import { collect } from './harness.ts';
import { startReceiver } from './receiver.ts';
import { createTestDatabase, engine } from './test-database.ts';

type Environment = Readonly<Record<string, string>>;
const ADMIN = 'hf_administratorOfTests';

/** Creates an empty database that outlives its hubs: a folder on SQLite, a database of its own on PostgreSQL. */
const lastingDatabase = () => (engine === 'sqlite' ? dataFolder() : createTestDatabase('empty'));

/** Creates a data folder for a hub without PostgreSQL. */
async function dataFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-test-'));
  return {
    folder,
    environment: { MOONBASE_DATA_DIR: join(folder, 'data') } as Environment,
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a hub as the process would, by default without background work. */
async function start(environment: Environment, overrides: Overrides = {}) {
  const settings = { MOONBASE_PORT: '0', MOONBASE_ADMIN_TOKEN: ADMIN, ...environment };
  const hub = await createHub(readConfig(settings), {
    background: false,
    logger: pino({ level: 'silent' }),
    ...overrides,
  });
  const newToken = (await hub.prepare())?.newToken;
  const hubUrl = await hub.start();
  let stopped: Promise<void> | undefined;
  const stop = (afterMs?: number) => {
    stopped ??= hub.stop(afterMs);
    return stopped;
  };
  return {
    newToken,
    url: hubUrl,
    drain: () => hub.drain(),
    stop,
    admin: { hubUrl, accessToken: ADMIN, fetch: contractFetch },
    [Symbol.asyncDispose]: () => stop(),
  };
}

/** Inserts the lease on a lane of a process that was killed while it sent. */
async function holdDeliveries(environment: Environment, now: number): Promise<void> {
  const { MOONBASE_DATABASE_URL: url, MOONBASE_DATA_DIR: folder = '' } = environment;
  const opened = openDatabase(url === undefined ? { folder } : { url });
  const [waiting] = await waitingLanes(opened.read, '', 1);
  const lanes = [waiting?.lane ?? ''];
  expect(await opened.transaction((tx) => leaseLanes(tx, lanes, { owner: 'killed', now }))).toEqual(lanes);
  await opened[Symbol.asyncDispose]();
}

/** Returns a promise and the function that resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Starts a receiver that answers only on command; `arrived` resolves with the first request. */
async function heldReceiver() {
  const release = gate();
  const arrived = gate();
  const server = createServer((_request, response) => {
    arrived.open();
    void release.opened.then(() => response.end('thank you'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrived: arrived.opened,
    release: release.open,
    async [Symbol.asyncDispose]() {
      release.open();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Opens a connection and sends only this text; `closed` resolves when the other side closes it. */
async function openConnection(url: string, text: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  socket.resume();
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  if (text) await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  return { closed };
}

const watchingAdmin = (url: string) => ({
  url,
  watched: [{ type: 'user' as const, name: 'admin' }],
  domains: ['repo' as const],
  secret: 'hush',
});

describe('the data of a hub', () => {
  test('survives a restart, including pending deliveries and their secrets', async () => {
    await using database = await lastingDatabase();
    await using receiver = await startReceiver();
    {
      await using hub = await start(database.environment);
      await createWebhook({ ...hub.admin, webhook: watchingAdmin(receiver.url) });
      await createRepo({ ...hub.admin, repo: 'admin/letters' });
      expect(receiver.received).toEqual([]);
    }
    await using hub = await start(database.environment);
    expect(await getUserOverview({ ...hub.admin, username: 'admin' })).toMatchObject({ numModels: 1 });
    await hub.drain();
    expect(receiver.events()).toEqual(['repo/create']);
    expect(receiver.received[0]?.headers['x-webhook-secret']).toBe('hush');
  });

  test('contains the deliveries in flight of a killed process, which the next process sends', async () => {
    await using database = await lastingDatabase();
    await using receiver = await startReceiver();
    const clock = createTestClock();
    {
      await using hub = await start(database.environment, { clock });
      await createWebhook({ ...hub.admin, webhook: watchingAdmin(receiver.url) });
      await createRepo({ ...hub.admin, repo: 'admin/letters' });
      receiver.answer(500);
      await hub.drain();
    }
    receiver.answer(200);
    clock.advance(HOUR);
    await holdDeliveries(database.environment, clock.now());
    await using hub = await start(database.environment, { clock });
    // On PostgreSQL, where other processes may be working, the lane is free when the lease of the dead process ends.
    if (engine === 'postgres') {
      clock.advance(LEASE_MS - 1);
      await hub.drain();
      expect(receiver.received).toHaveLength(1);
      clock.advance(SECOND);
    }
    await hub.drain();
    expect(receiver.events()).toEqual(['repo/create', 'repo/create']);
  });

  test('contains the progress of a replay, which continues after a restart without repeating an entry', async () => {
    await using database = await lastingDatabase();
    await using receiver = await startReceiver();
    const clock = createTestClock();
    const entries = 105;
    let one = { webhookId: '', replayId: '' };
    {
      // Throttled entries are created quickly.
      await using hub = await start({ ...database.environment, MOONBASE_WEBHOOK_DAILY_LIMIT: '0' }, { clock });
      const { webhook } = await createWebhook({ ...hub.admin, webhook: watchingAdmin(receiver.url) });
      const repos = Array.from({ length: entries }, (_, at) => ({ type: 'model' as const, name: `admin/r-${at}` }));
      await applyHub({ ...hub.admin, document: { repos } });
      await hub.drain();
      const replay = await replayDeliveries({ ...hub.admin, webhookId: webhook.id });
      one = { webhookId: webhook.id, replayId: 'id' in replay ? replay.id : '' };
      await hub.drain();
      expect(await getReplay({ ...hub.admin, ...one })).toMatchObject({ status: 'running', replayed: 100 });
    }
    clock.advance(MINUTE);
    await using hub = await start(database.environment, { clock });
    await hub.drain();
    expect(await getReplay({ ...hub.admin, ...one })).toMatchObject({ status: 'done', replayed: entries });
    expect(receiver.received).toHaveLength(entries);
    expect(new Set(receiver.received.map(({ payload }) => payload.repo.name)).size).toBe(entries);
  });

  test('cannot be used with another secret key, and stays unchanged', async () => {
    await using database = await lastingDatabase();
    const withKey = (key: string) => start({ ...database.environment, MOONBASE_SECRET_KEY: key });
    const right = 'the right key, which is long enough';
    await (await withKey(right)).stop();
    await expect(withKey('another key, which is as long as it')).rejects.toThrow(
      /^The secret key is not the one that this database was made with\. Set MOONBASE_SECRET_KEY/,
    );
    await using hub = await withKey(right);
    expect(await whoAmI(hub.admin)).toMatchObject({ name: 'admin' });
  });

  test('cannot be used by an older version', async () => {
    await using database = await lastingDatabase();
    await (await start(database.environment)).stop();
    const { MOONBASE_DATABASE_URL: url, MOONBASE_DATA_DIR: folder = '' } = database.environment;
    const opened = openDatabase(url === undefined ? { folder } : { url });
    await opened.transaction((tx) =>
      tx
        .insertInto('migrations' as never)
        .values({ name: '9999-of-tomorrow', applied_at: 0 } as never)
        .execute(),
    );
    await opened[Symbol.asyncDispose]();
    await expect(start(database.environment)).rejects.toThrow(
      /^This database was written by a newer version of Moonbase \(it has the migration 9999-of-tomorrow\)\. Start that version/,
    );
  });

  test.runIf(engine === 'postgres')(
    'is created by the first of several that start at once; the others find it',
    async () => {
      await using database = await lastingDatabase();
      const config = readConfig({ MOONBASE_PORT: '0', MOONBASE_ADMIN_TOKEN: ADMIN, ...database.environment });
      const overrides = { background: false, logger: pino({ level: 'silent' }) };
      const hubs = await Promise.all([1, 2, 3, 4].map(() => createHub(config, overrides)));
      await Promise.all(hubs.map((hub) => hub.prepare()));
      const { read } = (hubs[0] as (typeof hubs)[number]).database;
      expect(await read.selectFrom('accounts').select('name').where('site_admin', '=', 1).execute()).toEqual([
        { name: 'admin' },
      ]);
      for (const hub of hubs) {
        const admin = { hubUrl: await hub.start(), accessToken: ADMIN };
        expect(await whoAmI(admin)).toMatchObject({ name: 'admin' });
        await hub.stop();
      }
    },
  );
});

describe('the first site administrator', () => {
  test.runIf(engine === 'postgres')('is created and printed by one of several that start at once', async () => {
    await using database = await lastingDatabase();
    const hubs = await Promise.all([1, 2, 3].map(() => start({ ...database.environment, MOONBASE_ADMIN_TOKEN: '' })));
    const tokens = hubs.flatMap(({ newToken }) => newToken ?? []);
    expect(tokens).toHaveLength(1);
    for (const hub of hubs) {
      expect(await whoAmI({ ...hub.admin, accessToken: tokens[0] ?? '' })).toMatchObject({ name: 'admin' });
      await hub.stop();
    }
  });

  test('gets the configured token at the first start only', async () => {
    await using database = await lastingDatabase();
    const first = await start(database.environment);
    expect(first.newToken).toBeUndefined();
    await first.stop();
    await using hub = await start({ ...database.environment, MOONBASE_ADMIN_TOKEN: 'hf_anotherAdministrator' });
    expect(await whoAmI(hub.admin)).toMatchObject({ name: 'admin' });
    await expect(whoAmI({ ...hub.admin, accessToken: 'hf_anotherAdministrator' })).rejects.toMatchObject({
      status: 401,
    });
  });

  test('gets a generated token that is printed once, if none is configured', async () => {
    await using database = await lastingDatabase();
    const withoutToken = { ...database.environment, MOONBASE_ADMIN_TOKEN: '' };
    const first = await start(withoutToken);
    expect(first.newToken).toMatch(/^hf_[0-9A-Za-z]{32,}$/);
    await first.stop();
    await using hub = await start(withoutToken);
    expect(hub.newToken).toBeUndefined();
    expect(await whoAmI({ ...hub.admin, accessToken: first.newToken ?? '' })).toMatchObject({ name: 'admin' });
  });
});

describe('a data folder', () => {
  test('is for one hub at a time', async () => {
    await using home = await dataFolder();
    const first = await start(home.environment);
    await expect(start(home.environment)).rejects.toThrow(
      `The data folder ${home.environment.MOONBASE_DATA_DIR} is in use by another Moonbase process. Stop that one, or choose another folder with MOONBASE_DATA_DIR.`,
    );
    expect(await whoAmI(first.admin)).toMatchObject({ name: 'admin' });
    await first.stop();
    await using next = await start(home.environment);
    expect(await whoAmI(next.admin)).toMatchObject({ name: 'admin' });
  });

  test('contains the key for secrets, which only its owner can read, and keeps it', async () => {
    await using home = await dataFolder();
    const folder = String(home.environment.MOONBASE_DATA_DIR);
    const key = join(folder, 'secret.key');
    await (await start(home.environment)).stop();
    const made = readFileSync(key, 'utf8');
    expect(made.length).toBeGreaterThanOrEqual(43);
    expect((statSync(key).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
    await (await start(home.environment)).stop();
    expect(readFileSync(key, 'utf8')).toBe(made);
    rmSync(key);
    await expect(start(home.environment)).rejects.toThrow(/put its key file back into the data folder/);
  });

  test('contains no key if one is configured', async () => {
    await using home = await dataFolder();
    await (
      await start({ ...home.environment, MOONBASE_SECRET_KEY: 'a key of one’s own, which is long enough' })
    ).stop();
    expect(existsSync(join(String(home.environment.MOONBASE_DATA_DIR), 'secret.key'))).toBe(false);
  });
});

describe('stopping', () => {
  test('completes requests in flight, and accepts no more connections', async () => {
    await using database = await lastingDatabase();
    await using receiver = await heldReceiver();
    await using hub = await start(database.environment);
    const { webhook } = await createWebhook({ ...hub.admin, webhook: watchingAdmin(receiver.url) });
    const answer = testWebhook({ ...hub.admin, webhookId: webhook.id });
    await receiver.arrived;
    const stopped = hub.stop();
    const refused = () => 'refused';
    let late: unknown = true;
    while (late === true) late = await fetch(`${hub.url}/health`).then(({ ok }) => ok, refused);
    expect(late).toBe('refused');
    receiver.release();
    expect(await answer).toMatchObject({ status: 200 });
    await stopped;
  });

  test('first reports not being ready: requests are still answered, each on a connection that closes afterwards', async () => {
    await using database = await lastingDatabase();
    const hub = await start(database.environment);
    const stopped = hub.stop(2000);
    const ready = await fetch(`${hub.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready', error: 'The hub is stopping' }]);
    const answer = await fetch(`${hub.url}/health`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
    await expect(fetch(`${hub.url}/health`)).rejects.toThrow('fetch failed');
  });

  test('does not wait for idle connections or incomplete requests', async () => {
    await using database = await lastingDatabase();
    const hub = await start(database.environment);
    const sent = ['', 'GET /health HTTP/1.1\r\nHost: local', 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'];
    const closed = await Promise.all(sent.map((text) => openConnection(hub.url, text)));
    await fetch(`${hub.url}/health`);
    await hub.stop();
    await Promise.all(closed.map((connection) => connection.closed));
  });

  test('finishes a delivery in flight, and records its result', async () => {
    await using database = await lastingDatabase();
    await using receiver = await heldReceiver();
    const working = await start(database.environment, { background: true });
    const { webhook } = await createWebhook({ ...working.admin, webhook: watchingAdmin(receiver.url) });
    await createRepo({ ...working.admin, repo: 'admin/letters' });
    await receiver.arrived;
    const stopped = working.stop();
    receiver.release();
    await stopped;
    await using hub = await start(database.environment);
    expect(await collect(listDeliveries({ ...hub.admin, webhookId: webhook.id }))).toMatchObject([
      { status: 'delivered', attempts: 1, responseStatus: 200 },
    ]);
  });
});
