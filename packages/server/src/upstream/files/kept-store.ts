import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { UpstreamFileRow } from '../tables.ts';
import { addToTotal } from '../total-store.ts';

/** Returns a kept file whose bytes are sound. */
export const findKept = (executor: ReadExecutor, contentId: string): Promise<UpstreamFileRow | undefined> =>
  executor
    .selectFrom('upstream_files')
    .innerJoin('blobs', 'blobs.sha256', 'upstream_files.sha256')
    .selectAll('upstream_files')
    .where('upstream_files.content_id', '=', contentId)
    .where('blobs.state', '=', 'stored')
    .executeTakeFirst();

/** Records a kept file, or that it is kept for longer. */
export async function putKept(tx: Executor, row: UpstreamFileRow): Promise<void> {
  const inserted = await tx
    .insertInto('upstream_files')
    .values(row)
    .onConflict((conflict) => conflict.column('content_id').doNothing())
    .returning('content_id')
    .executeTakeFirst();
  if (inserted) return addToTotal(tx, 'files', row.size);
  const { content_id, kept_until, used_at } = row;
  await tx.updateTable('upstream_files').set({ kept_until, used_at }).where('content_id', '=', content_id).execute();
}

export async function touchKept(tx: Executor, contentId: string, now: number): Promise<void> {
  await tx.updateTable('upstream_files').set({ used_at: now }).where('content_id', '=', contentId).execute();
}

/** Returns the files that were not used for the longest time, or that were last used before a time. */
export const leastUsed = (
  executor: ReadExecutor,
  { limit, usedBefore }: { readonly limit: number; readonly usedBefore?: number },
): Promise<UpstreamFileRow[]> =>
  executor
    .selectFrom('upstream_files')
    .selectAll()
    .$if(usedBefore !== undefined, (query) => query.where('used_at', '<', usedBefore ?? 0))
    .orderBy('used_at')
    .orderBy('content_id')
    .limit(limit)
    .execute();

/** Returns those of some blobs of which no file is kept. */
export async function unkeptAmong(executor: ReadExecutor, sha256s: readonly string[]): Promise<string[]> {
  const rows = await executor
    .selectFrom('upstream_files')
    .select('sha256')
    .where(whereIn(executor, 'sha256', sha256s))
    .execute();
  const kept = new Set(rows.map(({ sha256 }) => sha256));
  return sha256s.filter((sha256) => !kept.has(sha256));
}

export async function deleteKept(tx: Executor, contentIds: readonly string[]): Promise<void> {
  const deleted = await tx
    .deleteFrom('upstream_files')
    .where(whereIn(tx, 'content_id', contentIds))
    .returning('size')
    .execute();
  const bytes = deleted.reduce((sum, { size }) => sum + size, 0);
  await addToTotal(tx, 'files', -bytes);
}

/** Returns files whose blobs are kept for no longer than a time. */
export const keptUntil = (executor: ReadExecutor, until: number, limit: number): Promise<UpstreamFileRow[]> =>
  executor
    .selectFrom('upstream_files')
    .selectAll()
    .where('kept_until', '<', until)
    .orderBy('kept_until')
    .limit(limit)
    .execute();

export async function noteKept(tx: Executor, contentIds: readonly string[], until: number): Promise<void> {
  await tx
    .updateTable('upstream_files')
    .set({ kept_until: until })
    .where(whereIn(tx, 'content_id', contentIds))
    .execute();
}
