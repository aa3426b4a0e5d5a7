import type { RepoType } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { type Reader, readableBy, repoColumns } from '../access/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { readableOf, rowsWithIds } from '../repositories/index.ts';

/** Returns the number of repositories of each type that an account has and the viewer may read. */
export async function countRepos(
  executor: ReadExecutor,
  ownerId: string,
  viewer: Reader,
): Promise<Readonly<Partial<Record<RepoType, number>>>> {
  const [granted] = readableOf(viewer, ownerId);
  const { rows } = await sql<{ type: RepoType; count: number }>`
    select repositories.type, count(*) as count from ${rowsWithIds(executor, 'repositories', granted(sql`o.id`))}
    where repositories.id = selected.id and ${readableBy(repoColumns, viewer)}
    group by repositories.type`.execute(executor);
  return Object.fromEntries(rows.map((row) => [row.type, Number(row.count)]));
}

/** Returns the number of discussions that a user opened and the viewer may read. */
export async function countDiscussions(executor: ReadExecutor, authorId: string, viewer: Reader): Promise<number> {
  const { count } = await executor
    .selectFrom('discussions')
    .innerJoin('repositories', 'repositories.id', 'discussions.repo_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('discussions.author_id', '=', authorId)
    .where(readableBy(repoColumns, viewer))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the number of papers that a user is an author of. */
export async function countPapers(executor: ReadExecutor, userId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('paper_authors')
    .select((eb) => eb.fn.count<number>('paper_id').distinct().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
