import { type RawBuilder, sql } from 'kysely';
import { countUpTo } from '../../platform/database/count-up-to.ts';
import { isPostgres, type ReadExecutor } from '../../platform/database/transaction.ts';

/** If at most this many rows pass one filter, they are looked up and then sorted. */
const MAX_SORTED = 2000;
/** If more rows than these pass a filter, nobody asks whether the reader may read few of them. */
const MAX_LOOKED_UP = 10_000;

export const countIds = (executor: ReadExecutor, ids: RawBuilder<unknown>, max: number): Promise<number> =>
  countUpTo(executor, sql`from (${ids} limit ${sql.lit(max)}) as selected`, max);

/** Returns whether a query for ids has more rows than a number, which is less work than to count them. */
async function hasMore(executor: ReadExecutor, ids: RawBuilder<unknown>, than: number): Promise<boolean> {
  const { rows } = await sql`select 1 as one from (${ids}) as selected limit 1 offset ${sql.lit(than)}`.execute(
    executor,
  );
  return rows.length > 0;
}

/**
 * Returns the rows of a table whose ids are those of the query `selected`, to stand behind `from`; the condition that the ids are
 * equal has to follow. Each row is looked up, whatever the statistics say: a cross join keeps the order in which SQLite looks at
 * tables, and an offset that in which PostgreSQL does.
 */
export function rowsWithIds(executor: ReadExecutor, name: string, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  const table = sql.table(name);
  if (!isPostgres(executor)) return sql`(${ids}) as selected cross join ${table}`;
  const row = sql`select * from ${table} where ${sql.ref(`${name}.id`)} = selected.id offset 0`;
  return sql`(${ids}) as selected cross join lateral (${row}) as ${table}`;
}

/** A query for the ids of the rows that pass one filter of a list, each once, and their number. */
export interface Selection {
  readonly ids: RawBuilder<unknown>;
  readonly count: number;
}

/** Rows of a table: what stands behind `from`, and their conditions. */
export interface Rows {
  readonly from: RawBuilder<unknown>;
  readonly conditions: readonly RawBuilder<unknown>[];
}

/** Returns the selection with the fewest rows; undefined if all of them have too many to be sorted. */
export async function smallest(
  executor: ReadExecutor,
  all: readonly RawBuilder<unknown>[],
  known?: Selection,
): Promise<Selection | undefined> {
  let best = known;
  for (const ids of all) {
    const max = best?.count ?? MAX_SORTED + 1;
    const count = await countIds(executor, ids, max);
    if (count < max) best = { ids, count };
  }
  return best;
}

/**
 * Returns a query of whose rows the reader may read few enough to be sorted, however many others it has; undefined if there is
 * none. `among` returns the rows with some ids that the reader may read. Without this, the plan would
 * tell a reader who knows the number of all others whether there is one more.
 */
export async function fewReadable(
  executor: ReadExecutor,
  all: readonly RawBuilder<unknown>[],
  among: (ids: RawBuilder<unknown>) => Rows,
): Promise<RawBuilder<unknown> | undefined> {
  for (const ids of all) {
    if (await hasMore(executor, ids, MAX_LOOKED_UP)) continue;
    const { from, conditions } = among(ids);
    const readable = sql`from ${from} where ${sql.join(conditions, sql` and `)}`;
    if ((await countUpTo(executor, readable, MAX_SORTED + 1)) <= MAX_SORTED) return ids;
  }
  return undefined;
}
