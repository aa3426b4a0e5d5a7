import { type Reader, readableBy, repoColumns } from '../access/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { SpaceVolumeRow } from './tables.ts';

/** Returns the volumes of Spaces whose bucket or repository the reader may read, with its present name, in their order. */
export const listShownVolumes = (executor: ReadExecutor, reader: Reader, spaceIds: readonly string[]) =>
  executor
    .selectFrom('space_volumes')
    .innerJoin('repositories', 'repositories.id', 'space_volumes.source_id')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .selectAll('space_volumes')
    .select(['repositories.type', 'repositories.name', 'accounts.name as ownerName'])
    .where(whereIn(executor, 'space_volumes.space_id', spaceIds))
    .where(readableBy(repoColumns, reader))
    .orderBy('space_volumes.position')
    .execute();

export type ShownVolume = Awaited<ReturnType<typeof listShownVolumes>>[number];

/** Returns the volumes of a Space in their order, whoever may read their sources. */
export const listVolumes = (executor: ReadExecutor, spaceId: string): Promise<SpaceVolumeRow[]> =>
  executor.selectFrom('space_volumes').selectAll().where('space_id', '=', spaceId).orderBy('position').execute();

/** Deletes the volumes of a Space; returns whether there were any. */
export async function deleteVolumes(tx: Executor, spaceId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('space_volumes').where('space_id', '=', spaceId).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function insertVolumes(tx: Executor, rows: readonly SpaceVolumeRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('space_volumes').values(rows).execute();
}
