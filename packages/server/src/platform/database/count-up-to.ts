import { type RawBuilder, sql } from 'kysely';
import type { ReadExecutor } from './transaction.ts';

/** Returns the number of rows of a query that is given from its `from` on; counting ends at `max`. */
export async function countUpTo(executor: ReadExecutor, part: RawBuilder<unknown>, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 as one ${part} limit ${sql.lit(max)}) as counted`.execute(executor);
  return Number(rows[0]?.count);
}
