import { deletedKey, nameKey } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';

const TYPES = ['model', 'dataset', 'space'] as const;

/**
 * Returns whether a namespace is that of a user or an organization of this hub, also of a deleted one that can be restored,
 * or had repositories that have moved since.
 */
export async function isOurs(executor: ReadExecutor, namespace: string): Promise<boolean> {
  const key = nameKey(namespace);
  const account = await executor
    .selectFrom('accounts')
    .select('id')
    .where('name_key', 'in', [key, deletedKey(namespace)])
    .limit(1)
    .executeTakeFirst();
  if (account) return true;
  const moved = await executor
    .selectFrom('moved_repositories')
    .select('repo_id')
    .where('type', 'in', TYPES)
    .where('owner_key', '=', key)
    .limit(1)
    .executeTakeFirst();
  return moved !== undefined;
}
