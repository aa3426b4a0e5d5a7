import { sql } from 'kysely';
import { type Executor, isPostgres, type ReadExecutor } from '../../platform/database/transaction.ts';

export interface Downloads {
  /** The downloads of the last 30 days. */
  readonly recent: number;
  readonly allTime: number;
}

/** Adds the counts of repositories to a day and to the total; deleted repositories are skipped. */
export async function addDownloads(tx: Executor, day: number, counts: ReadonlyMap<string, number>): Promise<void> {
  const listed = JSON.stringify([...counts].map(([id, count]) => ({ id, count })));
  const counted = isPostgres(tx)
    ? sql`json_to_recordset(${listed}::json) as counted (id text, count bigint)`
    : sql`(select value ->> 'id' as id, value ->> 'count' as count from json_each(${listed})) as counted`;
  for (const each of [0, day])
    await sql`
      insert into repo_downloads (repo_id, day, downloads)
      select repositories.id, ${sql.lit(each)}, counted.count from repositories join ${counted} on counted.id = repositories.id
      where true
      on conflict (repo_id, day) do update set downloads = repo_downloads.downloads + excluded.downloads`.execute(tx);
}

/** Deletes the counts of days before the given one; the total stays. */
export async function pruneDownloads(tx: Executor, before: number): Promise<void> {
  await tx.deleteFrom('repo_downloads').where('day', '>', 0).where('day', '<', before).execute();
}

/** Returns the downloads of a repository after a day, and its total. */
export async function downloadsOf(executor: ReadExecutor, repoId: string, after: number): Promise<Downloads> {
  const rows = await executor
    .selectFrom('repo_downloads')
    .select(['day', 'downloads'])
    .where('repo_id', '=', repoId)
    .execute();
  const recent = rows.filter(({ day }) => day > after).reduce((sum, { downloads }) => sum + Number(downloads), 0);
  return { recent, allTime: Number(rows.find(({ day }) => day === 0)?.downloads ?? 0) };
}
