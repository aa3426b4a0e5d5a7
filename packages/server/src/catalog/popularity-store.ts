import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';

/** Returns repositories that were ever downloaded, in the order of their ids. */
export const downloadedRepos = async (executor: ReadExecutor, after: string, limit: number): Promise<string[]> =>
  (
    await executor
      .selectFrom('repo_downloads')
      .select('repo_id')
      .where('day', '=', 0)
      .where('repo_id', '>', after)
      .orderBy('repo_id')
      .limit(limit)
      .execute()
  ).map(({ repo_id }) => repo_id);

/** Returns the downloads of repositories on each day after the given one. */
export const recentDownloads = (executor: ReadExecutor, repoIds: readonly string[], after: number) =>
  executor
    .selectFrom('repo_downloads')
    .selectAll()
    .where(whereIn(executor, 'repo_id', repoIds))
    .where('day', '>', Math.max(0, after))
    .execute();
