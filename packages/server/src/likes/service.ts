import { findAccount, lockAccount, presentUser, requireUser } from '../accounts/index.ts';
import { type Clock, timestamp } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { idFromCursor, pageFrom } from '../platform/http/pagination.ts';
import type { Ids } from '../platform/ids.ts';
import { addLikes, lockReadableRepo, type RepoName, readRepo } from '../repositories/index.ts';
import { DAY_MS, scoreOfDay } from './policy.ts';
import { deleteLike, deleteLikesBy, insertLike, likedAmong, listLiked, listLikers } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export type Likes = ReturnType<typeof createLikes>;

/** Likes of repositories. A like and the counts that follow from it change in one transaction. */
export function createLikes({ database, clock, ids }: Dependencies) {
  const { read } = database;

  return {
    /** Likes a repository that the caller may read; liking it again changes nothing. */
    like: (caller: Caller, name: RepoName): Promise<void> =>
      database.transaction(async (tx) => {
        const { userId } = caller.principal;
        await lockAccount(tx, userId);
        const repo = await lockReadableRepo(tx, caller, name);
        const row = { id: ids(), repo_id: repo.id, user_id: userId, created_at: clock.now() };
        if (await insertLike(tx, row)) await addLikes(tx, [repo.id], 1, scoreOfDay(0, { likes: 1 }));
      }),

    /** Takes a like back, if there is one. */
    unlike: (caller: Caller, name: RepoName): Promise<void> =>
      database.transaction(async (tx) => {
        const { userId } = caller.principal;
        await lockAccount(tx, userId);
        const repo = await lockReadableRepo(tx, caller, name);
        const likedAt = await deleteLike(tx, repo.id, userId);
        if (likedAt === undefined) return;
        const age = Math.floor(clock.now() / DAY_MS) - Math.floor(likedAt / DAY_MS);
        await addLikes(tx, [repo.id], -1, -scoreOfDay(age, { likes: 1 }));
      }),

    async likers(caller: Caller, name: RepoName, { cursor, limit }: PageQuery) {
      const repo = await readRepo(read, caller, name);
      const rows = await listLikers(read, repo.id, idFromCursor(cursor), limit + 1);
      const { items, next } = pageFrom(rows, limit, ({ likeId }) => likeId);
      return { items: items.map((user) => presentUser(caller.baseUrl, user)), next };
    },

    /** Lists the public repositories that a user likes. Throws 404 for an unknown user. */
    async liked({ principal }: Caller, username: string, { cursor, limit }: PageQuery) {
      const user = requireUser(await findAccount(read, username), username);
      const rows = await listLiked(read, user.id, principal, idFromCursor(cursor), limit + 1);
      const { items, next } = pageFrom(rows, limit, ({ id }) => id);
      return {
        items: items.map(({ createdAt, type, name, ownerName }) => ({
          createdAt: timestamp(Number(createdAt)),
          repo: { name: `${ownerName}/${name}`, type },
        })),
        next,
      };
    },

    isLiked: async (repoId: string, userId: string | undefined): Promise<boolean> =>
      userId !== undefined && (await likedAmong(read, userId, [repoId])).has(repoId),
  };
}

/** Deletes the likes of a user who is about to be deleted; the trending scores follow within the hour. */
export async function deleteLikesOf(tx: Executor, userId: string): Promise<void> {
  // No like of the user can be added until the transaction ends.
  await lockAccount(tx, userId);
  await addLikes(tx, await deleteLikesBy(tx, userId), -1, 0);
}
