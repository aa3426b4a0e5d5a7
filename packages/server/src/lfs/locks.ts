import { MAX_LISTED_LOCKS, MAX_LOCK_PATH_BYTES } from '@moonbase/contract/large-files/locks';
import { countLocks, deleteLock, type FileLock, insertLock, type LockFilter, listLocks } from '../content/index.ts';
import { type Clock, timestamp } from '../platform/clock.ts';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import { pathFault } from '../platform/git/paths.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, forbidden, HubError, notFound } from '../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../platform/http/pagination.ts';
import type { Ids } from '../platform/ids.ts';
import { createChangeRunner, type RepoName, readRepo } from '../repositories/index.ts';

/** Every push compares its changes with all locks of others. */
const MAX_LOCKS = 1000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

interface LockQuery extends Omit<LockFilter, 'after'> {
  readonly cursor?: string | undefined;
  /** The number of locks that the caller wants; 0 stands for any. */
  readonly limit?: number | undefined;
}

/** The locking API of git LFS: who has a lock is the only one who may commit changes of its path. */
export function createLocks({ database, clock, ids }: Dependencies) {
  const { read } = database;
  const runChange = createChangeRunner(database);

  async function pageOf(executor: ReadExecutor, repoId: string, { cursor, limit, ...filter }: LockQuery) {
    const size = Math.min(limit || MAX_LISTED_LOCKS, MAX_LISTED_LOCKS);
    const after = idFromCursor(cursor || undefined);
    return pageFrom(await listLocks(executor, repoId, { ...filter, after }, size + 1), size, ({ id }) => id);
  }

  return {
    /** Locks a path for the caller. Throws 409 if it is locked, 422 if it cannot be a path. */
    lock: (caller: Caller, name: RepoName, path: string) =>
      runChange(caller, name, async (tx, repo) => {
        requireLockable(path);
        const [existing] = await listLocks(tx, repo.id, { path }, 1);
        if (existing) throw conflict(`${path} is locked by ${existing.owner} already`, { lock: present(existing) });
        if ((await countLocks(tx, repo.id)) >= MAX_LOCKS)
          throw conflict(`A repository can have at most ${MAX_LOCKS} locks: unlock others first`);
        const { userId, userName } = caller.principal;
        const row = { id: ids(), repo_id: repo.id, path, owner_id: userId, locked_at: clock.now() };
        await insertLock(tx, row);
        return { lock: present({ ...row, owner: userName }) };
      }),

    async locks(caller: Caller, name: RepoName, query: LockQuery) {
      const repo = await readRepo(read, caller, name);
      const { items, next } = await pageOf(read, repo.id, query);
      return { locks: items.map(present), ...(next !== undefined && { next_cursor: next }) };
    },

    async verifyLocks(caller: Caller, name: RepoName, query: Pick<LockQuery, 'cursor' | 'limit'>) {
      const repo = await readRepo(read, caller, name);
      const { items, next } = await pageOf(read, repo.id, query);
      const isOurs = ({ owner_id }: FileLock) => owner_id === caller.principal.userId;
      return {
        ours: items.filter(isOurs).map(present),
        theirs: items.filter((lock) => !isOurs(lock)).map(present),
        ...(next !== undefined && { next_cursor: next }),
      };
    },

    /** Deletes a lock. Throws 403 for the lock of somebody else, unless an admin forces it. */
    unlock: (caller: Caller, name: RepoName, { id, force }: { readonly id: string; readonly force: boolean }) =>
      runChange(caller, name, async (tx, repo, role) => {
        const [lock] = await listLocks(tx, repo.id, { id }, 1);
        if (!lock) throw notFound('The repository has no such lock');
        const isOwn = lock.owner_id === caller.principal.userId;
        if (!isOwn && !force)
          throw forbidden(`${lock.path} is locked by ${lock.owner}: an admin can unlock it by force`);
        if (!isOwn && role !== 'admin')
          throw forbidden('Only admins of the repository may unlock what others have locked');
        await deleteLock(tx, lock.id);
        return { lock: present(lock) };
      }),
  };
}

function requireLockable(path: string): void {
  const fault =
    Buffer.byteLength(path) > MAX_LOCK_PATH_BYTES ? `must have at most ${MAX_LOCK_PATH_BYTES} bytes` : pathFault(path);
  if (fault !== undefined) throw new HubError(422, `The path ${JSON.stringify(path.slice(0, 200))} ${fault}`);
}

const present = ({ id, path, locked_at, owner }: FileLock) => ({
  ...{ id, path, locked_at: timestamp(locked_at) },
  owner: { name: owner },
});
