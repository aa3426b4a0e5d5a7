import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { SigningKeyRow } from '../tables.ts';

/** Returns the keys, newest first. */
export const signingKeys = (executor: ReadExecutor): Promise<SigningKeyRow[]> =>
  executor.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute();

export async function insertKey(tx: Executor, row: SigningKeyRow): Promise<void> {
  await tx.insertInto('signing_keys').values(row).execute();
}

/** Deletes keys that were made before a time, but never the newest. */
export async function deleteOldKeys(tx: Executor, before: number): Promise<void> {
  await tx
    .deleteFrom('signing_keys')
    .where('created_at', '<', before)
    .where('created_at', '<', (of) =>
      of.selectFrom('signing_keys').select((eb) => eb.fn.max('created_at').as('newest')),
    )
    .execute();
}
