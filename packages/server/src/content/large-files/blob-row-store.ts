import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { BlobRow, BlobState } from '../tables.ts';

/**
 * Announces a blob that a caller is about to upload, which postpones its deletion. Returns its previous state, if any.
 */
export async function touchBlob(
  tx: Executor,
  { sha256, size, now }: { readonly sha256: string; readonly size: number; readonly now: number },
): Promise<BlobState | undefined> {
  const before = await tx.selectFrom('blobs').select('state').where('sha256', '=', sha256).executeTakeFirst();
  await tx
    .insertInto('blobs')
    .values({ sha256, size, state: 'arriving', unused_since: now, checked_at: now, held_until: null })
    .onConflict((conflict) =>
      conflict.column('sha256').doUpdateSet({
        unused_since: sql`case when blobs.unused_since is null then null else excluded.unused_since end`,
      }),
    )
    .execute();
  return before?.state;
}

/** Returns the columns that name the repository which gets or loses a blob, and its owner. */
export const lastHadBy = (repoId: string) => ({
  last_repo_id: repoId,
  last_owner_id: sql<string | null>`(select owner_id from repositories where repositories.id = ${repoId})`,
});

interface StoredBlob {
  readonly sha256: string;
  readonly size: number;
  readonly now: number;
  /** The repository that gets the blob; absent if the hub keeps it for itself. */
  readonly repoId?: string;
}

/** Marks a blob as stored, verified and in use. Returns false if the blob is being deleted. */
export async function markStored(tx: Executor, { sha256, size, now, repoId }: StoredBlob): Promise<boolean> {
  const stored = {
    state: 'stored',
    unused_since: null,
    checked_at: now,
    ...(repoId !== undefined && lastHadBy(repoId)),
  } as const;
  const row = await tx
    .insertInto('blobs')
    .values({ sha256, size, ...stored, held_until: null })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet(stored).where('blobs.state', '<>', 'deleting'))
    .returning('sha256')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the row of a blob whose upload failed. */
export async function deleteArriving(tx: Executor, sha256: string): Promise<void> {
  await tx.deleteFrom('blobs').where('sha256', '=', sha256).where('state', '=', 'arriving').execute();
}

/**
 * Marks a stored blob as in use by a repository. Returns false if there is no such blob or its bytes are not sound.
 */
export async function markUsed(tx: Executor, sha256: string, repoId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('blobs')
    .set({ unused_since: null, ...lastHadBy(repoId) })
    .where('sha256', '=', sha256)
    .where('state', '=', 'stored')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The column with the end of a hold: `held_until` for one that lasts its time, `kept_until` for one that may end early. */
export type HoldColumn = 'held_until' | 'kept_until';

/** Keeps blobs until a time, even if no repository has them; never shortens that time. */
export async function postponeDeletion(
  tx: Executor,
  sha256s: readonly string[],
  until: number,
  column: HoldColumn,
): Promise<void> {
  await tx
    .updateTable('blobs')
    .set({ [column]: until })
    .where(whereIn(tx, 'sha256', sha256s))
    .where((is) => is.or([is(column, 'is', null), is(column, '<', until)]))
    .execute();
}

/** Returns the next blobs after a name, ordered by name. */
export const namesAfter = async (executor: ReadExecutor, after: string, limit: number): Promise<string[]> =>
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
/** The same for repositories that are not deleted: rows of deleted ones go later. */
const isInNoRepository = sql<boolean>`not exists (
  select 1 from repo_files inner join repositories on repositories.id = repo_files.repo_id
  where repo_files.sha256 = blobs.sha256
)`;
const isNotHeld = (now: number) =>
  sql<boolean>`(blobs.held_until is null or blobs.held_until <= ${now})
    and (blobs.kept_until is null or blobs.kept_until <= ${now})`;

/**
 * Ends the holds of blobs that may end early. A blob that no repository has had, and that nobody else holds, needs no grace
 * period: nobody relies on its being here.
 */
export async function endHolds(tx: Executor, sha256s: readonly string[]): Promise<void> {
  const isUnknown = sql`last_repo_id is null and held_until is null and ${hasNoGrant}`;
  await tx
    .updateTable('blobs')
    .set({ kept_until: null, unused_since: sql`case when ${isUnknown} then 0 else unused_since end` })
    .where(whereIn(tx, 'sha256', sha256s))
    .execute();
}

/** Records the time since when blobs have been in no repository, unless it is recorded already. */
export async function noteUnused(tx: Executor, sha256s: readonly string[], now: number): Promise<void> {
  await tx
    .updateTable('blobs')
    .set({ unused_since: now })
    .where(whereIn(tx, 'sha256', sha256s))
    .where('unused_since', 'is', null)
    .where(hasNoGrant)
    .execute();
}

export type UnusedBlob = Pick<BlobRow, 'sha256' | 'size' | 'unused_since' | 'last_repo_id' | 'last_owner_id'>;

/** Returns those of some blobs that no repository has, that are not held, and that are not being deleted yet. */
export const findUnused = (executor: ReadExecutor, sha256s: readonly string[], now: number): Promise<UnusedBlob[]> =>
  executor
    .selectFrom('blobs')
    .select(['sha256', 'size', 'unused_since', 'last_repo_id', 'last_owner_id'])
    .where(whereIn(executor, 'sha256', sha256s))
    .where('state', '<>', 'deleting')
    .where(isNotHeld(now))
    .where(isInNoRepository)
    .execute();

/** Marks those of some blobs as being deleted that were unused for long and are not held. */
export async function markDeletingAmong(
  tx: Executor,
  sha256s: readonly string[],
  { unusedBefore, now }: { readonly unusedBefore: number; readonly now: number },
): Promise<void> {
  await tx
    .updateTable('blobs')
    .set({ state: 'deleting' })
    .where(whereIn(tx, 'sha256', sha256s))
    .where('unused_since', '<', unusedBefore)
    .where('state', '<>', 'deleting')
    .where(isNotHeld(now))
    .where(hasNoGrant)
    .execute();
}

/**
 * Marks blobs that were unused for long, and are not held, as being deleted, so that no repository can get them any
 * more. Returns their number.
 */
export async function markDeleting(
  tx: Executor,
  { unusedBefore, now, limit }: { readonly unusedBefore: number; readonly now: number; readonly limit: number },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('blobs')
    .set({ state: 'deleting' })
    // A blob that came into use or was held since the subquery fails these conditions.
    .where('unused_since', '<', unusedBefore)
    .where(isNotHeld(now))
    .where('sha256', 'in', (of) =>
      of
        .selectFrom('blobs')
        .select('sha256')
        .where('unused_since', '<', unusedBefore)
        .where('state', '<>', 'deleting')
        .where(isNotHeld(now))
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

/** Returns the blob whose bytes were verified the longest ago, if that was before the given time. */
export const findUnchecked = (executor: ReadExecutor, checkedBefore: number): Promise<BlobRow | undefined> =>
  executor
    .selectFrom('blobs')
    .selectAll()
    .where('state', 'in', ['stored', 'damaged'])
    .where('checked_at', '<', checkedBefore)
    .orderBy('checked_at')
    .limit(1)
    .executeTakeFirst();

/** Records the result of a verification, unless the bytes were uploaded again in the meantime. */
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
