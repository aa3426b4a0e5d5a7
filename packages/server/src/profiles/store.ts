import type { RepoType } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { readable } from '../access/index.ts';
import type { Executor } from '../platform/database/transaction.ts';

/** How many repositories of each type an account has, of those that the viewer may read. */
export async function countRepos(
  executor: Executor,
  ownerId: string,
  viewerId: string,
): Promise<Readonly<Partial<Record<RepoType, number>>>> {
  const rows = await executor
    .selectFrom('repositories')
    .select(['type', (eb) => eb.fn.countAll<number>().as('count')])
    .where('owner_id', '=', ownerId)
    .where(readable({ private: sql.ref('private'), ownerId: sql.ref('owner_id') }, sql.val(viewerId)))
    .groupBy('type')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.type, row.count]));
}

/** How many discussions a user opened, of those that the viewer may read. */
export async function countDiscussions(executor: Executor, authorId: string, viewerId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('discussions')
    .innerJoin('repositories', 'repositories.id', 'discussions.repo_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('discussions.author_id', '=', authorId)
    .where(
      readable(
        { private: sql.ref('repositories.private'), ownerId: sql.ref('repositories.owner_id') },
        sql.val(viewerId),
      ),
    )
    .executeTakeFirstOrThrow();
  return count;
}
