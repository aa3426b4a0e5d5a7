import { BlobError } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import type { FinishedPack, KeepPack } from '../../platform/git/packs/finished-pack.ts';
import type { OtherPlaces } from '../../platform/git/repository.ts';
import { HubError } from '../../platform/http/errors.ts';
import type { FolderCache } from './folder-cache.ts';
import { inParallel } from './in-parallel.ts';
import type { PackBucket } from './pack-bucket.ts';
import type { PackFetching } from './pack-fetching.ts';
import { insertPacks, markReplaced, packsOf } from './pack-store.ts';

/** The index of a larger pack is stored beside it. */
const MAX_PLAIN_OBJECTS = 1000;
const MAX_PLAIN_BYTES = 16 * 1024 * 1024;
/** A pack that waited longer for its row may have been taken for a leftover. */
export const MAX_UNRECORDED_MS = 60 * 60 * 1000;
const MAX_COPIES = 8;
const MAX_TRIES = 3;

/** Other packs were replaced in the meantime. */
export class PacksChanged extends Error {
  override name = 'PacksChanged';
}

const beingDeleted = () =>
  new HubError(503, 'Objects of this change are being deleted; try again in three hours', {
    headers: { 'retry-after': '10800' },
  });

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: GitStore;
  readonly bucket: PackBucket;
  readonly fetching: PackFetching;
  readonly cache: FolderCache;
}

export type BucketPacks = ReturnType<typeof createBucketPacks>;

/**
 * Keeps the packs of repositories in a bucket, with the git folders as a cache. A pack is in the bucket before its row is in
 * the database, and its row is there before any ref leads to one of its objects.
 */
export function createBucketPacks({ database, clock, store, bucket, fetching, cache }: Dependencies) {
  const { read } = database;

  /** Stores a pack, in the place of others if it has all of their objects. Throws `PacksChanged` if one is replaced. */
  async function keep(repoId: string, pack: FinishedPack, others: readonly string[] = []): Promise<void> {
    const begunAt = performance.now();
    const { name, bytes, objects } = pack;
    const indexed = pack.hasDeltas || objects > MAX_PLAIN_OBJECTS || bytes > MAX_PLAIN_BYTES;
    const replaced = others.filter((other) => other !== name);
    await bucket.put(repoId, pack, indexed);
    await database.transaction(async (tx) => {
      requireFresh(begunAt);
      const now = clock.now();
      if (replaced.length > 0 && (await markReplaced(tx, repoId, replaced, { by: name, now })) < replaced.length)
        throw new PacksChanged('Another process has replaced packs of this repository');
      const row = { repo_id: repoId, name, bytes, objects, indexed: indexed ? 1 : 0, replaces: replaced.length };
      if (!(await insertPacks(tx, [row], now))) throw beingDeleted();
    });
    cache.add(repoId, bytes);
  }

  const keeperOf =
    (repoId: string): KeepPack =>
    (pack) =>
      keep(repoId, pack);

  return {
    /** Returns how the objects of a repository get into the bucket and come back. */
    placesOf(repoId: string): Required<Pick<OtherPlaces, 'packs'>> {
      return {
        packs: {
          keep: keeperOf(repoId),
          fetch: ({ repair = false } = {}) => (repair ? fetching.repair(repoId) : fetching.fetch(repoId)),
        },
      };
    },

    keep,
    fetch: fetching.fetch,
    touch: (repoId: string): void => cache.touch(repoId),
    hold: (repoId: string): Disposable => cache.hold(repoId),

    /** Moves the packs of another folder into a repository. */
    adopt: (repoId: string, from: string): Promise<void> => store.adoptPacks(repoId, from, keeperOf(repoId)),

    /** Gives all objects of a repository to one that has no row yet. */
    async copy(fromId: string, toId: string): Promise<void> {
      const begunAt = performance.now();
      for (let tries = 1; ; tries++) {
        const packs = (await packsOf(read, fromId)).filter(({ replacedBy }) => replacedBy === null);
        const copied = await inParallel(packs, MAX_COPIES, (pack) => bucket.copy(fromId, toId, pack));
        if (copied.includes(false)) {
          if (tries === MAX_TRIES) throw new BlobError('missing', `A pack of ${fromId} is not in the bucket`);
          continue;
        }
        const rows = packs.map(({ name, bytes, objects, indexed }) => ({
          ...{ repo_id: toId, name, bytes, objects, indexed: indexed ? 1 : 0, replaces: 0 },
        }));
        await database.transaction(async (tx) => {
          requireFresh(begunAt);
          if (!(await insertPacks(tx, rows, clock.now()))) throw beingDeleted();
        });
        return;
      }
    },

    /** Deletes packs from the bucket, which no row names any more or which are marked for it. */
    delete: (repoId: string, name: string): Promise<void> => bucket.delete(repoId, name),

    /** Deletes the folder of a repository on this machine. */
    async deleteFolder(repoId: string): Promise<void> {
      cache.forget(repoId);
      await store.delete(repoId);
    },

    /** Ends the work in the background. */
    async stop(): Promise<void> {
      await fetching.stop();
      await cache.stop();
    },
  };
}

/** Throws if a pack may have been taken for a leftover since it was stored. */
function requireFresh(begunAt: number): void {
  if (performance.now() - begunAt > MAX_UNRECORDED_MS)
    throw new BlobError('unavailable', 'The storage of repositories was too slow; try again');
}
