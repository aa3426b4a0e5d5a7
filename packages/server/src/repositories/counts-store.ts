import { sql } from 'kysely';
import { updateEach } from '../platform/database/bulk.ts';
import { bigint, text } from '../platform/database/columns.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';

/** What lists of repositories are sorted by. */
export interface RepoCounts {
  /** Of the last 30 days. */
  readonly downloads: number;
  /** In thousandths. */
  readonly trending: number;
}

const COUNTS = { id: text(), downloads: bigint(), trending_score: bigint() };

/** Stores the counts of repositories, where they have changed. */
export const setCounts = (tx: Executor, counts: ReadonlyMap<string, RepoCounts>): Promise<void> =>
  updateEach(
    tx,
    'repositories',
    COUNTS,
    [...counts].map(([id, { downloads, trending }]) => ({ id, downloads, trending_score: trending })),
    { onlyChanged: true },
  );

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
