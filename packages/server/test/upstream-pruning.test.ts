import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectStorage } from '@moonbase/client/admin';
import { createRepo } from '@moonbase/client/repositories';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createUpkeep } from '../src/content/index.ts';
import { createFolderStore } from '../src/platform/blobs/folder/folder-store.ts';
import { DAY, HOUR } from './clock.ts';
import { commitAt, upstreamHubs } from './upstream-hubs.ts';

const KIBIBYTE = 1024;
const SIZE = 400 * KIBIBYTE;
const TABLES = [
  'upstream_repos',
  'upstream_revisions',
  'upstream_commits',
  'upstream_answers',
  'upstream_entries',
  'upstream_files',
] as const;

/** Starts two hubs, and the model `ada/m` at the upstream with three files, two of which fit into the room here. */
async function withFiles(settings: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-blobs-'));
  const store = createFolderStore({ folder, now: () => Date.now() });
  const hubs = await upstreamHubs({ MOONBASE_UPSTREAM_MAX_MIB: '1', ...settings }, { blobs: store });
  await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/m' });
  const text = () => randomBytes(SIZE / 2).toString('hex');
  const files = { 'a.txt': text(), 'b.txt': text(), 'c.txt': text(), 'huge.txt': text().repeat(3) };
  await commitAt(hubs.upstream, 'ada', 'models/ada/m', { files });
  const { database, clock } = hubs.hub;
  onTestFinished(async () => {
    await hubs[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    ...{ ...hubs, clock },
    async get(path: string) {
      const response = await hubs.ask(`/ada/m/resolve/main/${path}`);
      return [response.status, (await response.text()) === Object.entries(files).find(([name]) => name === path)?.[1]];
    },
    /** Returns the number of stored blobs, after everything that is due now. */
    async blobs() {
      await hubs.hub.drain();
      const options = {
        graceDays: 7,
        checkDays: 90,
        isLeader: async () => true,
        isCommitted: async () => true,
        logger: pino({ level: 'silent' }),
      };
      const upkeep = createUpkeep({ database, clock, store, ...options });
      while ((await upkeep.round()).done > 0);
      const names = await readdir(folder, { recursive: true, withFileTypes: true });
      return names.filter((entry) => entry.isFile()).length;
    },
    /** Returns what the totals say, and what the rows come to. */
    async totals() {
      const { rows } = await sql<{ said: number | string; kept: number | string }>`
        select what, amount as said, case what when 'files' then (select coalesce(sum(size), 0) from upstream_files)
          else (select coalesce(sum(bytes), 0) from upstream_commits) end as kept
        from upstream_totals order by what desc`.execute(database.read);
      return { said: rows.map(({ said }) => Number(said)), kept: rows.map(({ kept }) => Number(kept)) };
    },
    rows: async () =>
      Promise.all(TABLES.map(async (table) => (await database.read.selectFrom(table).selectAll().execute()).length)),
  };
}

test('the files that were not used for the longest time make room', async () => {
  const at = await withFiles();
  expect(await at.get('a.txt')).toEqual([200, true]);
  at.clock.advance(HOUR);
  expect(await at.get('b.txt')).toEqual([200, true]);
  at.clock.advance(DAY);
  expect(await at.get('a.txt')).toEqual([200, true]);
  expect(await at.blobs()).toBe(2);
  expect(await at.get('c.txt')).toEqual([200, true]);
  expect(await at.blobs()).toBe(2);
  const { said, kept } = await at.totals();
  expect([said, said[0]]).toEqual([kept, 2 * SIZE]);
  at.wire.away();
  expect(await at.get('a.txt')).toEqual([200, true]);
  expect(await at.get('c.txt')).toEqual([200, true]);
  expect((await at.get('b.txt'))[0]).toBe(504);
});

test('a file that is larger than all the room is not fetched', async () => {
  const at = await withFiles();
  const response = await at.ask('/ada/m/resolve/main/huge.txt');
  expect(response.status).toBe(507);
  expect(await response.text()).toContain('more than this hub has room for from its upstream');
  expect(at.wire.take().filter((line) => line.includes('/resolve/'))).toEqual([]);
});

test('what is used is kept, however long; what is not used for the time of the setting is forgotten', async () => {
  const at = await withFiles({ MOONBASE_UPSTREAM_KEEP_DAYS: '10' });
  await at.ask('/api/models/ada/m/tree/main');
  await at.ask('/api/models/ada/m/refs');
  await at.get('a.txt');
  await at.get('b.txt');
  for (let day = 0; day < 12; day++) {
    at.clock.advance(DAY);
    await at.get('a.txt');
    await at.hub.drain();
  }
  expect(await at.blobs()).toBe(1);
  const { said, kept } = await at.totals();
  expect([said, said.every((total) => total > 0)]).toEqual([kept, true]);
  await collectStorage({ ...at.hub.admin, dryRun: false });
  expect(await at.blobs()).toBe(1);
  at.wire.away();
  expect(await at.get('a.txt')).toEqual([200, true]);
  for (let day = 0; day < 11; day++) {
    at.clock.advance(DAY);
    await at.hub.drain();
  }
  expect(await at.blobs()).toBe(0);
  expect(await at.rows()).toEqual(TABLES.map(() => 0));
  expect(await at.totals()).toEqual({ said: [0, 0], kept: [0, 0] });
});

test('bytes that somebody else holds as well are not deleted with the file', async () => {
  const at = await withFiles();
  await at.get('a.txt');
  const until = at.clock.now() + 10 * DAY;
  await at.hub.database.transaction((tx) => tx.updateTable('blobs').set({ held_until: until }).execute());
  at.clock.advance(HOUR);
  await at.get('b.txt');
  await at.get('c.txt');
  expect(await at.blobs()).toBe(3);
  expect((await at.rows()).at(-1)).toBe(2);
});

test('a file whose bytes are damaged here is fetched again', async () => {
  const at = await withFiles();
  await at.get('a.txt');
  await at.hub.database.transaction((tx) => tx.updateTable('blobs').set({ state: 'damaged' }).execute());
  expect(await at.get('a.txt')).toEqual([200, true]);
  at.wire.away();
  expect(await at.get('a.txt')).toEqual([200, true]);
});
