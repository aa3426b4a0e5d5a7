import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Database, openDatabase, type ReadExecutor } from '../src/platform/database/transaction.ts';
import type { Position } from '../src/repositories/lists/keyset.ts';
import { countRows, firstRows, type SortedList } from '../src/repositories/lists/sorted-list-store.ts';
import { createTestDatabase } from './test-database.ts';

interface Thing {
  readonly id: string;
  readonly value: number;
}

const COUNT = 1500;
const MOVED = 't1490';
const idOf = (at: number) => `t${String(at).padStart(4, '0')}`;
const always = sql`1 = 1`;

const list: SortedList = {
  ...{ table: 'things', beside: { tables: sql``, conditions: [] }, column: 'value', direction: 'desc' },
  ...{ after: undefined, limit: 10, filters: [{ condition: sql`things.marked = 1` }] },
  readable: [],
  parts: [{ walked: [always], lookedUp: [always], hinted: [], granted: [] }],
};

/** Returns a way to read that counts queries, and does something once after the first one whose rows include a thing. */
function watched(read: ReadExecutor, id: string, act: () => Promise<unknown>) {
  const results: unknown[] = [];
  let isDone = false;
  const executor = read.getExecutor().withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      results.push(result);
      if (!isDone && result.rows.some((row) => row.id === id)) {
        isDone = true;
        await act();
      }
      return result;
    },
  });
  const reading: ReadExecutor = Object.create(read, { getExecutor: { value: () => executor } });
  return { reading, results };
}

const positionOf = ({ id, value }: Thing) => ({ id, value: Number(value) });
const columns = sql`things.id, things.value`;

/** Fills a table with rows of which some are marked. */
const fill = (database: Database, isMarked: (at: number) => boolean) =>
  database.transaction(async (tx) => {
    await sql`create table things (id text primary key, value integer not null, marked integer not null)`.execute(tx);
    for (let from = 0; from < COUNT; from += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => from + at).map(
        (at) => sql`(${idOf(at)}, ${at}, ${isMarked(at) ? 1 : 0})`,
      );
      await sql`insert into things (id, value, marked) values ${sql.join(rows)}`.execute(tx);
    }
  });

test('pages that the short walk does not fill have the first rows in order, and lead through all of them', async () => {
  await using place = await createTestDatabase('empty');
  await using database = openDatabase(place.location);
  const isMarked = (at: number) => at % 150 === 7 || at < 300;
  await fill(database, isMarked);
  const marked = Array.from({ length: COUNT }, (_, at) => at).filter(isMarked);
  for (const direction of ['asc', 'desc'] as const) {
    const found: number[] = [];
    let after: Position | undefined;
    do {
      const page = await firstRows(database.read, { ...list, direction, after }, columns, positionOf);
      found.push(...page.rows.map(({ value }) => Number(value)));
      after = page.until;
    } while (after);
    expect(found).toEqual(direction === 'asc' ? marked : marked.toReversed());
    expect(await countRows(database.read, { ...list, direction }, 200)).toBe(200);
    expect(await countRows(database.read, { ...list, direction }, 2000)).toBe(marked.length);
  }
});

test('a row that moves behind the short walk before the page walks on is once in the page', async () => {
  await using place = await createTestDatabase('empty');
  await using database = openDatabase(place.location);
  await fill(database, (at) => idOf(at) === MOVED || at === 100);
  const { reading, results } = watched(database.read, MOVED, () =>
    database.transaction((tx) => sql`update things set value = 50 where id = ${MOVED}`.execute(tx)),
  );
  const { rows, until } = await firstRows(reading, list, columns, positionOf);
  expect(rows.map(({ id }) => id)).toEqual(['t0100', MOVED]);
  expect(until).toBeUndefined();
  // Two walks, and the rows that they found: a list without filters of an index has no use for a sample.
  expect(results).toHaveLength(3);
});
