import { expect, test } from 'vitest';
import { databaseOf } from '../src/infrastructure.ts';
import { readRows } from '../src/platform/backup/read-backup.ts';
import { openSnapshot } from '../src/platform/database/snapshot.ts';
import { backedUp, createBackupFixture, KINDS, startAt } from './backup-fixture.ts';

const MEBIBYTE = 1024 ** 2;
const LONG_ROWS = 40;
/** What is in memory at once: a mebibyte, and the row with which it is reached. */
const AT_ONCE = 2 * MEBIBYTE + 1000;
/** The rows with which PostgreSQL learns how long rows are. */
const FIRST = 10 * MEBIBYTE;

const lengthOf = (rows: readonly (readonly unknown[])[]): number =>
  rows.flat().reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

test.each(KINDS)(
  'on %s, rows of a mebibyte are written and read a few at a time, short ones by the hundred',
  async (kind) => {
    await using fixture = await createBackupFixture(kind);
    await using hub = await startAt(fixture);
    await hub.database.transaction(async (tx) => {
      for (let at = 0; at < LONG_ROWS; at++)
        await tx
          .insertInto('settings')
          .values({ name: `long-${at}`, value: 'x'.repeat(MEBIBYTE) })
          .execute();
      for (let at = 0; at < 1000; at++)
        await tx
          .insertInto('deletions')
          .values({ kind: `short-${at}`, amount: 1, last_at: 1 })
          .execute();
    });
    const batches = async (query: string) => {
      await using snapshot = await openSnapshot(databaseOf(fixture.config));
      const found: { rows: number; length: number }[] = [];
      for await (const rows of snapshot.select(query)) found.push({ rows: rows.length, length: lengthOf(rows) });
      return found;
    };
    const long = await batches('select name, value from settings');
    expect(Math.max(...long.slice(1).map(({ length }) => length))).toBeLessThanOrEqual(AT_ONCE);
    expect(long[0]?.length).toBeLessThanOrEqual(kind === 'sqlite' ? AT_ONCE : FIRST + MEBIBYTE);
    expect(long.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThanOrEqual(LONG_ROWS);
    const short = await batches('select kind, amount from deletions');
    expect(short.length).toBeLessThanOrEqual(kind === 'sqlite' ? 5 : 10);
    expect(short.reduce((sum, { rows }) => sum + rows, 0)).toBe(1000);

    const { file } = await backedUp(fixture);
    for await (const { rows } of readRows(file)) expect(lengthOf(rows)).toBeLessThanOrEqual(AT_ONCE);
  },
);
