import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { BlobRow, BlobState } from '../tables.ts';

/** Notes that somebody brings a blob: for a while from now on it is not deleted. Returns its state before, if it had one. */
export async function touchBlob(
  tx: Executor,
  { sha256, size, now }: { readonly sha256: string; readonly size: number; readonly now: number },
): Promise<BlobState | undefined> {
  const before = await tx.selectFrom('blobs').select('state').where('sha256', '=', sha256).executeTakeFirst();
  await tx
    .insertInto('blobs')
    .values({ sha256, size, state: 'arriving', unused_since: now, checked_at: now })
    .onConflict((conflict) =>
      conflict.column('sha256').doUpdateSet({
        unused_since: sql`case when blobs.unused_since is null then null else excluded.unused_since end`,
      }),
    )
    .execute();
  return before?.state;
}

/** The bytes of a blob are there, compared with its name, and used. Returns whether: not where it is being deleted. */
export async function markStored(
  tx: Executor,
  { sha256, size, now }: { readonly sha256: string; readonly size: number; readonly now: number },
): Promise<boolean> {
  const stored = { state: 'stored', unused_since: null, checked_at: now } as const;
  const row = await tx
    .insertInto('blobs')
    .values({ sha256, size, ...stored })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet(stored).where('blobs.state', '<>', 'deleting'))
    .returning('sha256')
    .executeTakeFirst();
  return row !== undefined;
}

/** Nothing came of a blob that somebody brought. */
export async function deleteArriving(tx: Executor, sha256: string): Promise<void> {
  await tx.deleteFrom('blobs').where('sha256', '=', sha256).where('state', '=', 'arriving').execute();
}

/** A blob whose bytes are sound is used. Returns whether there is such a one. */
export async function markUsed(tx: Executor, sha256: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('blobs')
    .set({ unused_since: null })
    .where('sha256', '=', sha256)
    .where('state', '=', 'stored')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The next blobs behind a name, in the order of their names. */
export const namesBehind = async (executor: ReadExecutor, after: string, limit: number): Promise<string[]> =>
  (
    await executor
      .selectFrom('blobs')
      .select('sha256')
      .where('sha256', '>', after)
      .orderBy('sha256')
      .limit(limit)
      .execute()
  ).map(({ sha256 }) => sha256);

const hasNoGrant = sql<boolean>`not exists (select 1 from repo_files where repo_files.sha256 = blobs.sha256)`;

/** Notes since when some blobs are in no repository, of those of which that is not noted yet. */
export async function noteUnused(tx: Executor, sha256s: readonly string[], now: number): Promise<void> {
  await tx
    .updateTable('blobs')
    .set({ unused_since: now })
    .where(whereIn(tx, 'sha256', sha256s))
    .where('unused_since', 'is', null)
    .where(hasNoGrant)
    .execute();
}

/** Marks blobs that were in no repository for long; from now on they are given to none. Returns how many there were. */
export async function markDeleting(tx: Executor, unusedBefore: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('blobs')
    .set({ state: 'deleting' })
    // What was used since the rows were found has no such time any more.
    .where('unused_since', '<', unusedBefore)
    .where('sha256', 'in', (of) =>
      of
        .selectFrom('blobs')
        .select('sha256')
        .where('unused_since', '<', unusedBefore)
        .where('state', '<>', 'deleting')
        .where(hasNoGrant)
        .orderBy('unused_since')
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export const listDeleting = async (executor: ReadExecutor, limit: number): Promise<string[]> =>
  (
    await executor
      .selectFrom('blobs')
      .select('sha256')
      .where('unused_since', 'is not', null)
      .where('state', '=', 'deleting')
      .limit(limit)
      .execute()
  ).map(({ sha256 }) => sha256);

export async function deleteBlobRows(tx: Executor, sha256s: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('blobs')
    .where(whereIn(tx, 'sha256', sha256s))
    .where('state', '=', 'deleting')
    .execute();
}

/** The blob whose bytes were compared with its name the longest ago, if that was before a time. */
export const findUnchecked = (executor: ReadExecutor, checkedBefore: number): Promise<BlobRow | undefined> =>
  executor
    .selectFrom('blobs')
    .selectAll()
    .where('state', 'in', ['stored', 'damaged'])
    .where('checked_at', '<', checkedBefore)
    .orderBy('checked_at')
    .limit(1)
    .executeTakeFirst();

/** Notes what a comparison has shown, unless the bytes were brought again meanwhile. */
export async function markChecked(
  tx: Executor,
  { sha256, checked_at }: Pick<BlobRow, 'sha256' | 'checked_at'>,
  state: 'stored' | 'damaged',
  now: number,
): Promise<void> {
  await tx
    .updateTable('blobs')
    .set({ state, checked_at: now })
    .where('sha256', '=', sha256)
    .where('checked_at', '=', checked_at)
    .where('state', 'in', ['stored', 'damaged'])
    .execute();
}
