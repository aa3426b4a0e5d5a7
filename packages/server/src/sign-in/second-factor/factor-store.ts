import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { SecondFactorRow } from '../tables.ts';

/** Returns the second factor that a user signs in with. */
export const findFactor = (executor: ReadExecutor, userId: string): Promise<SecondFactorRow | undefined> =>
  executor
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();

/** Returns the second factor that a user is about to set up. */
export const findPendingFactor = (executor: ReadExecutor, userId: string): Promise<SecondFactorRow | undefined> =>
  executor
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();

/** Stores a factor that is to be confirmed, in the place of another such one. */
export async function putPendingFactor(tx: Executor, row: SecondFactorRow): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', row.user_id).where('confirmed_at', 'is', null).execute();
  await tx.insertInto('second_factors').values(row).execute();
}

/** Makes a pending factor the one that its user signs in with. */
export async function confirmFactor(
  tx: Executor,
  { id, user_id: userId }: SecondFactorRow,
  { step, now }: { readonly step: number; readonly now: number },
): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).where('id', '<>', id).execute();
  await tx.updateTable('second_factors').set({ last_step: step, confirmed_at: now }).where('id', '=', id).execute();
}

/** Notes that the code of a step was taken; false where that code, or a newer one, was taken before. */
export async function takeStep(tx: Executor, id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('id', '=', id)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes what a user has of second factors; returns whether there was one to sign in with. */
export async function deleteFactors(tx: Executor, userId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .execute();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  return deleted.some((row) => row.confirmed_at !== null);
}
