import type { Tables } from '../database/tables.ts';
import type { Executor, ReadExecutor } from '../database/transaction.ts';

/** Adds what a step of pruning has deleted, in the transaction of the deletion; nothing is written for 0. */
export async function recordDeleted(tx: Executor, kind: string, amount: number, now: number): Promise<void> {
  if (amount === 0) return;
  await tx
    .insertInto('deletions')
    .values({ kind, amount, last_at: now })
    .onConflict((conflict) =>
      conflict.column('kind').doUpdateSet((eb) => ({
        amount: eb('deletions.amount', '+', amount),
        last_at: now,
      })),
    )
    .execute();
}

/** Returns what was deleted so far, by kind. */
export async function deletionsByKind(executor: ReadExecutor): Promise<ReadonlyMap<string, Tables['deletions']>> {
  const rows = await executor.selectFrom('deletions').selectAll().execute();
  return new Map(rows.map((row) => [row.kind, row]));
}
