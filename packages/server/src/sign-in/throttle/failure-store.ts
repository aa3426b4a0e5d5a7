import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { FailureRow } from '../tables.ts';

/** Returns the failures of some subjects; subjects without failures are omitted. */
export const failuresOf = (executor: ReadExecutor, subjects: readonly string[]): Promise<FailureRow[]> =>
  executor.selectFrom('sign_in_failures').selectAll().where('subject', 'in', subjects).execute();

/** Counts a failure of a subject, from one again if the window of its first failure is over. Returns the count. */
export async function countFailure(tx: Executor, subject: string, now: number, windowMs: number): Promise<number> {
  const isOver = sql<boolean>`sign_in_failures.first_at <= ${now - windowMs}`;
  const { failures } = await tx
    .insertInto('sign_in_failures')
    .values({ subject, failures: 1, first_at: now, last_at: now })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        failures: sql<number>`case when ${isOver} then 1 else sign_in_failures.failures + 1 end`,
        first_at: sql<number>`case when ${isOver} then ${now} else sign_in_failures.first_at end`,
        last_at: now,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return failures;
}

export async function forgetFailures(tx: Executor, subject: string): Promise<void> {
  await tx.deleteFrom('sign_in_failures').where('subject', '=', subject).execute();
}

/** Deletes at most `limit` rows that are older than every window; returns the number of deleted rows. */
export async function deleteOldFailures(tx: Executor, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_failures')
    .where('subject', 'in', (of) =>
      of.selectFrom('sign_in_failures').select('subject').where('last_at', '<', before).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
