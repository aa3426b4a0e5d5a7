import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { SecondFactorRow } from '../tables.ts';

/** Returns the confirmed second factor of a user. */
export const findFactor = (executor: ReadExecutor, userId: string): Promise<SecondFactorRow | undefined> =>
  executor
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();

/** Returns the second factor that a user is setting up. */
export const findPendingFactor = (executor: ReadExecutor, userId: string): Promise<SecondFactorRow | undefined> =>
  executor
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();

/** Stores a pending factor, replacing an earlier one. */
export async function putPendingFactor(tx: Executor, row: SecondFactorRow): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', row.user_id).where('confirmed_at', 'is', null).execute();
  await tx.insertInto('second_factors').values(row).execute();
}

/** Turns a pending factor into the one that the user signs in with. */
export async function confirmFactor(
  tx: Executor,
  { id, user_id: userId }: SecondFactorRow,
  { step, now }: { readonly step: number; readonly now: number },
): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).where('id', '<>', id).execute();
  await tx.updateTable('second_factors').set({ last_step: step, confirmed_at: now }).where('id', '=', id).execute();
}

/** Records the time step of a used code; returns false if that code or a newer one was used before. */
export async function takeStep(tx: Executor, id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('id', '=', id)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes all second factors of a user; returns whether one was confirmed. */
export async function deleteFactors(tx: Executor, userId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .execute();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  return deleted.some((row) => row.confirmed_at !== null);
}
