import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { FileLockRow } from '../tables.ts';

/** A lock with the name of the user who has it. */
export interface FileLock extends FileLockRow {
  readonly owner: string;
}

export interface LockFilter {
  readonly path?: string | undefined;
  readonly id?: string | undefined;
  /** The last lock of the previous page. */
  readonly after?: string | undefined;
}

/** Returns a page of a repository's locks, the oldest first. */
export function listLocks(
  executor: ReadExecutor,
  repoId: string,
  { path, id, after }: LockFilter,
  limit: number,
): Promise<FileLock[]> {
  let query = executor
    .selectFrom('file_locks')
    .innerJoin('accounts', 'accounts.id', 'file_locks.owner_id')
    .selectAll('file_locks')
    .select('accounts.name as owner')
    .where('file_locks.repo_id', '=', repoId);
  if (path !== undefined) query = query.where('file_locks.path', '=', path);
  if (id !== undefined) query = query.where('file_locks.id', '=', id);
  if (after !== undefined) query = query.where('file_locks.id', '>', after);
  return query.orderBy('file_locks.id').limit(limit).execute();
}

export async function countLocks(executor: ReadExecutor, repoId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('file_locks')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('repo_id', '=', repoId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertLock(tx: Executor, row: FileLockRow): Promise<void> {
  await tx.insertInto('file_locks').values(row).execute();
}

export async function deleteLock(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('file_locks').where('id', '=', id).execute();
}

/** A path with the name of the user who has locked it. */
export interface LockedPath {
  readonly path: string;
  readonly owner: string;
}

/** Returns the paths of a repository that others than the given user have locked. */
export const lockedByOthers = (executor: ReadExecutor, repoId: string, userId: string): Promise<LockedPath[]> =>
  executor
    .selectFrom('file_locks')
    .innerJoin('accounts', 'accounts.id', 'file_locks.owner_id')
    .select(['file_locks.path', 'accounts.name as owner'])
    .where('file_locks.repo_id', '=', repoId)
    .where('file_locks.owner_id', '!=', userId)
    .orderBy('file_locks.id')
    .execute();
