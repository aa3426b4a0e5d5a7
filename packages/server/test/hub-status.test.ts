import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getHubStatus, type HubStatus } from '@moonbase/client/admin';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/platform/database/transaction.ts';
import type { Outbound } from '../src/platform/outbound/outbound.ts';
import { receiverFailures } from '../src/webhooks/index.ts';
import { startHub, type TestHub } from './harness.ts';
import { createTestDatabase, engine } from './test-database.ts';

const HOUR_MS = 3_600_000;

/** Answers by host: `fine` with success, `broken` with 500, `gone` not at all. */
const byHost: Outbound = {
  async post({ url }) {
    if (url.includes('gone')) return { kind: 'failed', error: 'Connection refused', durationMs: 1 };
    return { kind: 'answered', status: url.includes('broken') ? 500 : 200, headers: {}, body: '', durationMs: 1 };
  },
  async [Symbol.asyncDispose]() {},
};

/** Starts a hub with ada, whose repository sends each discussion to the given receivers. */
async function startBusy(...urls: string[]): Promise<TestHub> {
  const hub = await startHub({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '5' }, { outbound: byHost });
  await hub.people('ada');
  await createRepo({ ...hub.as('ada'), type: 'model', repo: 'ada/x' });
  const watched = [{ type: 'user' as const, name: 'ada' }];
  for (const url of urls) await createWebhook({ ...hub.as('ada'), webhook: { watched, url, domains: ['discussion'] } });
  await hub.drain();
  return hub;
}

type Hour = HubStatus['day']['hours'][number];
const counted = ({ delivered, retrying, failed, throttled }: Hour) => [delivered, retrying, failed, throttled];

const discuss = (hub: TestHub) =>
  createDiscussion({ ...hub.as('ada'), type: 'model', repo: 'ada/x', title: 'News', description: 'See.' });

test('an idle hub reports its version, start time and empty queues', async () => {
  await using hub = await startHub();
  const startedAt = new Date(hub.clock.now()).toISOString();
  hub.clock.advance(60_000);
  const { day, queues, ...hubItself } = await getHubStatus(hub.admin);
  expect(hubItself).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    schema: expect.stringMatching(/^\d{4}-/),
    engine,
    startedAt,
    deadLetters: 0,
  });
  expect(queues.map(({ name }) => name)).toEqual(['deliveries', 'events', 'jobs', 'mails', 'mirrors', 'tasks']);
  expect(queues.find(({ name }) => name === 'deliveries')).toEqual({
    name: 'deliveries',
    waiting: 0,
    overdueSeconds: 0,
  });
  expect(day).toMatchObject({ receivers: [], suspendedWebhooks: 0, failingWebhooks: 0, complete: true });
  expect(day.hours).toHaveLength(24);
  expect(new Set(day.hours.flatMap(counted))).toEqual(new Set([0]));
});

test('the disk of the data folder is reported, and left out once the folder cannot be examined', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-status-'));
  await using made = await createTestDatabase();
  await using hub = await startHub({ MOONBASE_DATA_DIR: folder }, { database: openDatabase(made.location) });
  const { disk } = await getHubStatus(hub.admin);
  expect(disk?.freeBytes).toBeGreaterThan(0);
  expect(disk?.totalBytes).toBeGreaterThan(disk?.freeBytes ?? 0);
  await rm(folder, { recursive: true });
  expect(await getHubStatus(hub.admin)).not.toHaveProperty('disk');
});

test('queues are reported with the age of their oldest due item', async () => {
  await using hub = await startBusy('https://fine.example/');
  await discuss(hub);
  const oldestDueAt = new Date(hub.clock.now()).toISOString();
  hub.clock.advance(3000);
  const { queues } = await getHubStatus(hub.admin);
  expect(queues.find(({ name }) => name === 'events')).toEqual({
    name: 'events',
    waiting: 1,
    oldestDueAt,
    overdueSeconds: 3,
  });
});

test('attempts of the day are counted by hour and outcome', async () => {
  await using hub = await startBusy('https://fine.example/', 'https://broken.example/');
  await discuss(hub);
  await hub.drain();
  hub.clock.advance(7000);
  await hub.drain();
  hub.clock.advance(2 * HOUR_MS);
  await discuss(hub);
  await hub.drain();
  const { hours, countedAt } = (await getHubStatus(hub.admin)).day;
  const some = hours.flatMap((hour, at) => (counted(hour).some((count) => count > 0) ? [[at, ...counted(hour)]] : []));
  expect(some).toEqual([
    [21, 1, 1, 1, 0],
    [23, 1, 1, 0, 0],
  ]);
  expect(countedAt).toBe(new Date(hub.clock.now()).toISOString());
  hub.clock.advance(25 * HOUR_MS);
  const later = (await getHubStatus(hub.admin)).day;
  expect(later.hours.every((hour) => hour.delivered + hour.retrying + hour.failed === 0)).toBe(true);
  expect(later.receivers).toEqual([]);
});

test('failing receivers are listed by origin, worst first, with reason and time, without their URLs', async () => {
  await using hub = await startBusy(
    'https://fine.example/hook',
    'https://broken.example:8443/hook?key=SECRETKEY',
    'https://broken.example:8443/other/SECRETPATH',
    'http://gone.example/SECRETTOO',
  );
  await discuss(hub);
  await hub.drain();
  hub.clock.advance(7000);
  await hub.drain();
  const at = new Date(hub.clock.now()).toISOString();
  const status = await getHubStatus(hub.admin);
  expect(status.day.receivers).toEqual([
    {
      host: 'https://broken.example:8443',
      attempts: 4,
      failures: 4,
      lastError: 'The receiver answered 500',
      lastFailureAt: at,
    },
    { host: 'http://gone.example', attempts: 2, failures: 2, lastError: 'Connection refused', lastFailureAt: at },
  ]);
  expect(JSON.stringify(status)).not.toMatch(/SECRET|\/hook/);
});

test('the counts of the day are cached, the queues are counted each time', async () => {
  await using hub = await startBusy('https://gone.example/');
  expect((await getHubStatus(hub.admin)).day.receivers).toEqual([]);
  await discuss(hub);
  expect((await getHubStatus(hub.admin)).queues.find(({ name }) => name === 'events')?.waiting).toBe(1);
  await hub.drain();
  hub.clock.advance(14_999);
  expect((await getHubStatus(hub.admin)).day.receivers).toEqual([]);
  hub.clock.advance(1);
  expect((await getHubStatus(hub.admin)).day.receivers).toMatchObject([{ failures: 1 }]);
});

test('with too many attempts, only the newest count, and the response says so', async () => {
  await using hub = await startBusy('https://gone.example/');
  for (let at = 0; at < 3; at++) await discuss(hub);
  await hub.drain();
  const of = (most: number) => receiverFailures(hub.database.read, hub.clock.now(), most);
  expect(await of(3)).toMatchObject({ complete: true, receivers: [{ attempts: 3, failures: 3 }] });
  expect((await of(2)).complete).toBe(false);
  expect((await of(1)).receivers).toMatchObject([{ attempts: 2 }]);
});

test('failing and suspended webhooks are counted', async () => {
  await using hub = await startBusy('https://gone.example/', 'https://fine.example/');
  await hub.database.transaction((tx) =>
    tx.updateTable('webhooks').set({ state: 'suspended' }).where('url', '=', 'https://gone.example/').execute(),
  );
  expect((await getHubStatus(hub.admin)).day).toMatchObject({ suspendedWebhooks: 1, failingWebhooks: 0 });
  await using failing = await startBusy('https://broken.example/', 'https://fine.example/');
  await discuss(failing);
  await failing.drain();
  expect((await getHubStatus(failing.admin)).day).toMatchObject({ suspendedWebhooks: 0, failingWebhooks: 1 });
});

test('only site administrators may read it', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  await expect(getHubStatus(hub.as('ada'))).rejects.toMatchObject({ status: 403 });
  await expect(getHubStatus({ hubUrl: hub.url })).rejects.toMatchObject({ status: 401 });
});
