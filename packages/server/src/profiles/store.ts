import type { RepoType } from '@moonbase/contract/primitives';
import { readableBy, repoColumns } from '../access/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';

/** How many repositories of each type an account has, of those that the viewer may read. */
export async function countRepos(
  executor: ReadExecutor,
  ownerId: string,
  viewer: Principal,
): Promise<Readonly<Partial<Record<RepoType, number>>>> {
  const rows = await executor
    .selectFrom('repositories')
    .select(['type', (eb) => eb.fn.countAll<number>().as('count')])
    .where('owner_id', '=', ownerId)
    .where(readableBy(repoColumns, viewer))
    .groupBy('type')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.type, row.count]));
}

/** How many discussions a user opened, of those that the viewer may read. */
export async function countDiscussions(executor: ReadExecutor, authorId: string, viewer: Principal): Promise<number> {
  const { count } = await executor
    .selectFrom('discussions')
    .innerJoin('repositories', 'repositories.id', 'discussions.repo_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('discussions.author_id', '=', authorId)
    .where(readableBy(repoColumns, viewer))
    .executeTakeFirstOrThrow();
  return count;
}
