import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../access/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';

/** A query for the ids of the rows that pass one filter of a list, and their number. */
export interface Selection {
  readonly count: number;
  readonly ids: RawBuilder<unknown>;
}

/** If at most this many rows pass one filter, they are looked up and then sorted. */
const MAX_SORTED = 5000;

export const allOf = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

/** The accounts whose private things a user may see. */
export const accountsOf = (userId: Reader['userId'] = '') =>
  sql`select ${userId} as id union all select m.org_id from memberships m where m.user_id = ${userId}`;

/**
 * Returns the selection with the fewest rows; undefined if all of them have too many to be sorted. Each query selects one
 * column `id`.
 */
export async function smallest(
  executor: ReadExecutor,
  all: readonly RawBuilder<unknown>[],
  known?: Selection,
): Promise<Selection | undefined> {
  let best = known;
  for (const ids of all) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (${ids} limit ${sql.lit(MAX_SORTED + 1)}) as selected`.execute(executor);
    const count = Number(rows[0]?.count);
    if (count <= MAX_SORTED && count < (best?.count ?? Number.POSITIVE_INFINITY)) best = { count, ids };
  }
  return best;
}
