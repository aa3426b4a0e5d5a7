import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { PasswordRow } from '../tables.ts';

export const findPassword = (executor: ReadExecutor, userId: string): Promise<PasswordRow | undefined> =>
  executor.selectFrom('passwords').selectAll().where('user_id', '=', userId).executeTakeFirst();

export async function putPassword(tx: Executor, row: PasswordRow): Promise<void> {
  const { hash, changed_at } = row;
  await tx
    .insertInto('passwords')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hash, changed_at }))
    .execute();
}

/** Replaces the hash of a password unless the password has changed meanwhile. */
export async function rehashPassword(tx: Executor, before: PasswordRow, hash: string): Promise<void> {
  await tx
    .updateTable('passwords')
    .set({ hash })
    .where('user_id', '=', before.user_id)
    .where('hash', '=', before.hash)
    .execute();
}

/** Returns whether an enabled site administrator has a password. */
export const anyAdminWithPassword = async (executor: ReadExecutor): Promise<boolean> =>
  (await executor
    .selectFrom('passwords')
    .innerJoin('accounts', 'accounts.id', 'passwords.user_id')
    .select('accounts.id')
    .where('accounts.site_admin', '=', 1)
    .where('accounts.disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;
