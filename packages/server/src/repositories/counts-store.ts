import { sql } from 'kysely';
import { type Executor, isPostgres } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';

/** What lists of repositories are sorted by. */
export interface RepoCounts {
  /** Of the last 30 days. */
  readonly downloads: number;
  /** In thousandths. */
  readonly trending: number;
}

/** Stores the counts of repositories, where they have changed. */
export async function setCounts(tx: Executor, counts: ReadonlyMap<string, RepoCounts>): Promise<void> {
  const listed = JSON.stringify([...counts].map(([id, each]) => ({ id, ...each })));
  const counted = isPostgres(tx)
    ? sql`json_to_recordset(${listed}::json) as counted (id text, downloads bigint, trending bigint)`
    : sql`(
        select value ->> 'id' as id, value ->> 'downloads' as downloads, value ->> 'trending' as trending
        from json_each(${listed})
      ) as counted`;
  await sql`
    update repositories set downloads = counted.downloads, trending_score = counted.trending
    from ${counted} where counted.id = repositories.id
    and (repositories.downloads <> counted.downloads or repositories.trending_score <> counted.trending)`.execute(tx);
}

/** Adds to the likes of repositories, and to their trending scores in thousandths. */
export async function addLikes(tx: Executor, repoIds: readonly string[], likes: 1 | -1, trending: number) {
  if (repoIds.length === 0) return;
  const score = sql`trending_score + ${sql.lit(Math.round(trending))}`;
  await tx
    .updateTable('repositories')
    .set({
      likes: sql<number>`likes + ${sql.lit(likes)}`,
      trending_score: sql<number>`case when ${score} < 0 then 0 else ${score} end`,
    })
    .where(whereIn(tx, 'id', repoIds))
    .execute();
}
