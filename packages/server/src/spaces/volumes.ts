import { isDeepStrictEqual } from 'node:util';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { createChangeRunner, findRepo, type Repository, refNameFault } from '../repositories/index.ts';
import type { SpaceRecords } from './change.ts';
import type { SpaceName } from './environment.ts';
import type { SpaceVolumeRow } from './tables.ts';
import { volumesRefusal } from './volume-access.ts';
import { plainMountPath, type Volume, type VolumeFault, volumesFault } from './volume-policy.ts';
import { deleteVolumes, insertVolumes, listVolumes } from './volume-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly ids: Ids;
  readonly records: SpaceRecords;
}

export type SpaceVolumes = ReturnType<typeof createSpaceVolumes>;

const MAX_REVISION = 255;

/** Returns what is wrong with the form of the volumes of a Space; undefined if it is valid. */
export function spaceVolumesFault(volumes: readonly Volume[]): VolumeFault | undefined {
  const at = volumes.findIndex(
    ({ revision }) =>
      revision !== undefined && (revision.length > MAX_REVISION || refNameFault(revision) !== undefined),
  );
  const ofRevision = { path: `volumes.${at}.revision`, message: 'must be a branch, a tag or a commit' };
  return volumesFault(volumes) ?? (at < 0 ? undefined : ofRevision);
}

/** Throws 400 for volumes that no Space may have. */
export function requireVolumes(volumes: readonly Volume[]): void {
  const fault = spaceVolumesFault(volumes);
  if (fault) throw badRequest(`body.${fault.path}: ${fault.message}`);
}

/** The verbs on the volumes of Spaces: the hub keeps them, and mounts nothing. */
export function createSpaceVolumes({ database, ids, records }: Dependencies) {
  const runChange = createChangeRunner(database);

  /** Throws 400 for a bucket or repository that does not exist, and for a Space that nothing could run. */
  async function rowsOf(tx: Executor, space: Repository, volumes: readonly Volume[]): Promise<SpaceVolumeRow[]> {
    if (space.sdk === 'static' && volumes.length > 0) throw badRequest('Static Spaces cannot have volumes');
    const rows = [];
    for (const [position, { type, source, mountPath, revision, readOnly, path }] of volumes.entries()) {
      const [namespace = '', name = ''] = source.split('/');
      const repo = await findRepo(tx, { type, namespace, name });
      if (!repo) throw badRequest(`body.volumes.${position}.source: there is no ${type} ${source}`);
      rows.push({
        ...{ id: ids(), space_id: space.id, source_id: repo.id, position },
        ...{ mount_path: plainMountPath(mountPath) || '/', revision: revision ?? null, path: path ?? null },
        read_only: type === 'bucket' && readOnly !== true ? 0 : 1,
      });
    }
    return rows;
  }

  /** Throws 400 for a bucket or repository that the caller may not mount, and for a Space that nothing could run. */
  async function insert(tx: Executor, { principal }: Caller, space: Repository, volumes: readonly Volume[]) {
    const refusal = space.sdk === 'static' ? undefined : await volumesRefusal(tx, { volumes }, principal);
    if (refusal) throw badRequest(`body.${refusal.path}: ${refusal.message}`);
    await insertVolumes(tx, await rowsOf(tx, space, volumes));
  }

  return {
    insert,

    /** Brings the volumes of a Space to a list, of sources that the caller need not be able to read; returns the change. */
    async replace(tx: Executor, caller: Caller, space: Repository, volumes: readonly Volume[]) {
      const wanted = await rowsOf(tx, space, volumes);
      const before = await listVolumes(tx, space.id);
      if (isDeepStrictEqual(before.map(contentOf), wanted.map(contentOf))) return 'unchanged';
      await deleteVolumes(tx, space.id);
      await insertVolumes(tx, wanted);
      const isRemoval = volumes.length === 0;
      await records.changed(tx, caller, space, {
        ...(isRemoval
          ? { type: 'spaces.remove_volumes', done: 'Removed the volumes of' }
          : { type: 'spaces.set_volumes', done: 'Set the volumes of', data: { volumes: recordedVolumes(volumes) } }),
      });
      if (isRemoval) return 'removed';
      return before.length === 0 ? 'created' : 'updated';
    },

    set: (caller: Caller, name: SpaceName, volumes: readonly Volume[]): Promise<void> => {
      requireVolumes(volumes);
      return runChange(caller, { ...name, type: 'space' }, async (tx, repo) => {
        await deleteVolumes(tx, repo.id);
        await insert(tx, caller, repo, volumes);
        await records.changed(tx, caller, repo, {
          type: 'spaces.set_volumes',
          done: 'Set the volumes of',
          data: { volumes: recordedVolumes(volumes) },
        });
      });
    },

    /** Throws 400 if the Space has no volumes. */
    remove: (caller: Caller, name: SpaceName): Promise<void> =>
      runChange(caller, { ...name, type: 'space' }, async (tx, repo) => {
        if (!(await deleteVolumes(tx, repo.id))) throw badRequest('The Space has no volumes');
        await records.changed(tx, caller, repo, { type: 'spaces.remove_volumes', done: 'Removed the volumes of' });
      }),
  };
}

const contentOf = (volume: SpaceVolumeRow): SpaceVolumeRow => ({ ...volume, id: '' });

/** Returns what the audit log keeps of volumes: no names, since its readers may not read every source. */
export const recordedVolumes = (volumes: readonly Volume[]) =>
  volumes.map(({ type, mountPath }) => ({ type, mountPath }));
