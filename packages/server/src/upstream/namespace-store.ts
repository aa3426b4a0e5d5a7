import { deletedKey, nameKey } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { hasOldNames } from '../repositories/index.ts';

const TYPES = ['model', 'dataset', 'space'] as const;

/**
 * Returns whether a namespace is that of a user or an organization of this hub, also of a deleted one that can be restored,
 * or had repositories that have moved since.
 */
export async function isOurs(executor: ReadExecutor, namespace: string): Promise<boolean> {
  const account = await executor
    .selectFrom('accounts')
    .select('id')
    .where('name_key', 'in', [nameKey(namespace), deletedKey(namespace)])
    .limit(1)
    .executeTakeFirst();
  return account !== undefined || hasOldNames(executor, namespace, TYPES);
}
