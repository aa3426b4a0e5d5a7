import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { PackRow } from '../tables.ts';

/** A pack whose bytes are in the bucket. */
export interface KeptPack extends Pick<PackRow, 'name' | 'bytes' | 'objects' | 'replaces'> {
  readonly indexed: boolean;
  /** The pack that has all of its objects as well. */
  readonly replacedBy: string | null;
}

/** Returns the packs of a repository whose bytes are in the bucket, those that were replaced included. */
export async function packsOf(executor: ReadExecutor, repoId: string): Promise<KeptPack[]> {
  const rows = await executor
    .selectFrom('repo_packs')
    .select(['name', 'bytes', 'objects', 'indexed', 'replaces', 'replaced_by'])
    .where('repo_id', '=', repoId)
    .where('state', '<>', 'deleting')
    .execute();
  return rows.map(({ replaced_by: replacedBy, indexed, ...pack }) => ({ ...pack, indexed: indexed === 1, replacedBy }));
}

export type NewPack = Pick<PackRow, 'repo_id' | 'name' | 'bytes' | 'objects' | 'indexed' | 'replaces'>;

/** Inserts packs, also those that were replaced once; returns false if the bytes of one are being deleted. */
export async function insertPacks(tx: Executor, packs: readonly NewPack[], now: number): Promise<boolean> {
  if (packs.length === 0) return true;
  const rows = await tx
    .insertInto('repo_packs')
    .values(
      packs.map((pack) => ({ ...pack, state: 'stored' as const, replaced_by: null, created_at: now, changed_at: now })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['repo_id', 'name'])
        .doUpdateSet((is) => ({
          state: 'stored' as const,
          replaced_by: null,
          replaces: is.ref('excluded.replaces'),
          indexed: is.ref('excluded.indexed'),
          changed_at: now,
        }))
        .where('repo_packs.state', '<>', 'deleting'),
    )
    .returning('name')
    .execute();
  return rows.length === packs.length;
}

/** Marks packs as replaced by another one; returns how many of them were in use until now. */
export async function markReplaced(
  tx: Executor,
  repoId: string,
  names: readonly string[],
  { by, now }: { readonly by: string; readonly now: number },
): Promise<number> {
  const rows = await tx
    .updateTable('repo_packs')
    .set({ state: 'replaced', replaced_by: by, changed_at: now })
    .where('repo_id', '=', repoId)
    .where(whereIn(tx, 'name', names))
    .where('state', '=', 'stored')
    .returning('name')
    .execute();
  return rows.length;
}

/** Returns repositories that have packs and that the upkeep does not know. */
export async function unseenRepos(executor: ReadExecutor, limit: number): Promise<string[]> {
  const rows = await executor
    .selectFrom('repositories')
    .select('id')
    .where((is) =>
      is.exists(is.selectFrom('repo_packs').select('name').whereRef('repo_packs.repo_id', '=', 'repositories.id')),
    )
    .where((is) =>
      is.not(
        is.exists(is.selectFrom('git_upkeep').select('repo_id').whereRef('git_upkeep.repo_id', '=', 'repositories.id')),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** A pack in the bucket, by its repository and its name. */
export type PackName = Pick<PackRow, 'repo_id' | 'name'>;

/** Returns all packs of some repositories, in whatever state. */
export const packNamesIn = (executor: ReadExecutor, repoIds: readonly string[]): Promise<PackName[]> =>
  executor
    .selectFrom('repo_packs')
    .select(['repo_id', 'name'])
    .where(whereIn(executor, 'repo_id', repoIds))
    .execute();

/** Marks packs without rows for deletion, so that nobody can insert them; returns those that are marked. */
export async function claimUnknown(tx: Executor, packs: readonly PackName[], now: number): Promise<PackName[]> {
  if (packs.length === 0) return [];
  return tx
    .insertInto('repo_packs')
    .values(
      packs.map((pack) => ({
        ...pack,
        ...{ bytes: 0, objects: 0, indexed: 1, replaces: 0, state: 'deleting' as const, replaced_by: null },
        ...{ created_at: now, changed_at: now },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['repo_id', 'name'])
    .execute();
}

/** Marks packs that were replaced before a time for deletion; returns how many. */
export async function claimReplaced(
  tx: Executor,
  { before, now, limit }: { readonly before: number; readonly now: number; readonly limit: number },
): Promise<number> {
  const rows = await tx
    .updateTable('repo_packs')
    .set({ state: 'deleting', changed_at: now })
    .where((is) =>
      is(
        is.refTuple('repo_id', 'name'),
        'in',
        is
          .selectFrom('repo_packs')
          .select(['repo_id', 'name'])
          .where('state', '=', 'replaced')
          .where('changed_at', '<', before)
          .limit(limit)
          .$asTuple('repo_id', 'name'),
      ),
    )
    .returning('name')
    .execute();
  return rows.length;
}

/** Returns packs that are marked for deletion, with the times of the marks. */
export const claimedPacks = (executor: ReadExecutor, limit: number): Promise<(PackName & { changed_at: number })[]> =>
  executor
    .selectFrom('repo_packs')
    .select(['repo_id', 'name', 'changed_at'])
    .where('state', '=', 'deleting')
    .orderBy('changed_at')
    .limit(limit)
    .execute();

export async function deleteClaims(tx: Executor, packs: readonly PackName[]): Promise<void> {
  for (const { repo_id, name } of packs)
    await tx
      .deleteFrom('repo_packs')
      .where('repo_id', '=', repo_id)
      .where('name', '=', name)
      .where('state', '=', 'deleting')
      .execute();
}

export async function deletePacksOf(tx: Executor, repoIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('repo_packs')
    .where(whereIn(tx, 'repo_id', repoIds))
    .execute();
}

/** Returns repositories that have packs older than a time, and neither exist nor are being deleted. */
export async function orphanedRepos(executor: ReadExecutor, before: number, limit: number): Promise<string[]> {
  const rows = await executor
    .selectFrom('repo_packs')
    .select('repo_id')
    .distinct()
    .where('created_at', '<', before)
    .where((is) =>
      is.not(
        is.exists(is.selectFrom('repositories').select('id').whereRef('repositories.id', '=', 'repo_packs.repo_id')),
      ),
    )
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('deleted_repositories')
            .select('id')
            .whereRef('deleted_repositories.id', '=', 'repo_packs.repo_id'),
        ),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map(({ repo_id }) => repo_id);
}
