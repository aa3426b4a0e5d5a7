import { sql } from 'kysely';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';

/** Returns repositories that were ever downloaded or have a score, in the order of their ids. */
export async function countedRepos(executor: ReadExecutor, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select * from (
        select repo_id as id from repo_downloads where day = 0 and repo_id > ${after} order by repo_id limit ${limit}
      ) as downloaded
      union
      select * from (
        select id from repositories where trending_score > 0 and id > ${after} order by id limit ${limit}
      ) as scored
    ) as counted order by id limit ${limit}`.execute(executor);
  return rows.map(({ id }) => id);
}

/** Returns the downloads of repositories on each day after the given one. */
export const recentDownloads = (executor: ReadExecutor, repoIds: readonly string[], after: number) =>
  executor
    .selectFrom('repo_downloads')
    .selectAll()
    .where(whereIn(executor, 'repo_id', repoIds))
    .where('day', '>', Math.max(0, after))
    .execute();
