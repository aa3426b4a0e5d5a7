import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';

/** The size in bytes of the kept files, and the length in characters of the kept answers and entries. */
export type UpstreamTotal = 'files' | 'facts';

/** Returns a total, which each change of the rows keeps right. */
export async function totalOf(executor: ReadExecutor, what: UpstreamTotal): Promise<number> {
  const row = await executor.selectFrom('upstream_totals').select('amount').where('what', '=', what).executeTakeFirst();
  return row?.amount ?? 0;
}

/** Adds to a total, in the transaction that changes the rows; as its last change, since others wait for the row. */
export async function addToTotal(tx: Executor, what: UpstreamTotal, amount: number): Promise<void> {
  if (amount === 0) return;
  await tx
    .insertInto('upstream_totals')
    .values({ what, amount })
    .onConflict((conflict) =>
      conflict.column('what').doUpdateSet({ amount: sql`upstream_totals.amount + excluded.amount` }),
    )
    .execute();
}
