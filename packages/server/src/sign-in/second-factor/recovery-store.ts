import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';

/** Replaces the stored hashes of a user's recovery codes. */
export async function replaceRecoveryCodes(tx: Executor, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ hash, user_id: userId, used_at: null })))
    .execute();
}

/** Marks a recovery code as used; returns false for an unknown or used code. */
export async function spendRecoveryCode(tx: Executor, userId: string, hash: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns the number of unused recovery codes of a user. */
export async function countRecoveryCodes(executor: ReadExecutor, userId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('recovery_codes')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
