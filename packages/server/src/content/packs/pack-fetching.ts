import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { makeFolder } from '../../platform/durable-folders.ts';
import { unlessAbsent } from '../../platform/git/durable-files.ts';
import { GitFault, missing } from '../../platform/git/fault.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import { namesIn, PACK_FILE } from '../../platform/git/maintenance/object-files.ts';
import { isSoundIndex, isSoundPack } from '../../platform/git/packs/pack-checksum.ts';
import type { WarningLogger } from '../../platform/logger.ts';
import { createMutex } from '../../platform/mutex.ts';
import { createSharedRuns } from '../../platform/shared-runs.ts';
import type { FolderCache } from './folder-cache.ts';
import { inParallel } from './in-parallel.ts';
import type { PackBucket } from './pack-bucket.ts';
import { type PackPlan, planPacks } from './pack-plan.ts';
import { type KeptPack, packsOf } from './pack-store.ts';

/** The downloads of one repository at once. */
const MAX_DOWNLOADS = 4;
/** Packs that were replaced and deleted while they were fetched make the list be read again. */
const MAX_TRIES = 3;
/** A damaged pack is not fetched again before this time. */
const DAMAGE_REST_MS = 30_000;
/** The packs of a folder are compared with their hashes at most this often. */
const REPAIR_REST_MS = 60_000;
/** A pack without a row belongs to a change in progress until this age. */
const UNKNOWN_AGE_MS = 60 * 60 * 1000;
const MAX_REMEMBERED = 10_000;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly clock: Clock;
  readonly logger: WarningLogger;
  readonly store: GitStore;
  readonly bucket: PackBucket;
  readonly cache: FolderCache;
}

export type PackFetching = ReturnType<typeof createPackFetching>;

/** Brings the packs of repositories from the bucket into their folders. */
export function createPackFetching({ read, clock, logger, store, bucket, cache }: Dependencies) {
  const faults = boundedCache<string, { readonly fault: GitFault; readonly until: number }>(MAX_REMEMBERED);
  const repairedAt = boundedCache<string, number>(MAX_REMEMBERED);
  const inTurn = createMutex();
  const later = new Set<string>();
  let stopping = false;

  async function localPacks(repoId: string): Promise<Set<string>> {
    const names = new Set(await namesIn(store.packFolderOf(repoId), PACK_FILE));
    const packs = [...names].filter((name) => name.endsWith('.pack') && names.has(name.replace(/pack$/, 'idx')));
    return new Set(packs.map((name) => name.slice(0, -'.pack'.length)));
  }

  const planOf = async (repoId: string): Promise<PackPlan> =>
    planPacks(await packsOf(read, repoId), await localPacks(repoId));

  /** Downloads a pack; returns false if the bucket does not have it. */
  async function download(repoId: string, pack: KeptPack): Promise<boolean> {
    const key = `${repoId} ${pack.name}`;
    const known = faults.get(key);
    if (known && clock.now() < known.until) throw known.fault;
    try {
      const isThere = await bucket.download(repoId, pack, store.packFolderOf(repoId), store.files);
      if (isThere) cache.add(repoId, pack.bytes);
      return isThere;
    } catch (error) {
      if (error instanceof GitFault) {
        logger.error({ repoId, pack: pack.name, reason: error.message }, 'a pack in the bucket is damaged');
        faults.set(key, { fault: error, until: clock.now() + DAMAGE_REST_MS });
      }
      throw error;
    }
  }

  async function deleteLocal(repoId: string, names: readonly string[], minAgeMs = 0): Promise<void> {
    const folder = store.packFolderOf(repoId);
    for (const name of names) {
      const found = await stat(join(folder, `${name}.pack`)).catch(unlessAbsent);
      if (!found || Date.now() - found.mtimeMs < minAgeMs) continue;
      // Without its index nobody finds the pack.
      for (const ending of ['idx', 'rev', 'pack']) await rm(join(folder, `${name}.${ending}`), { force: true });
      cache.add(repoId, -found.size);
    }
  }

  async function tidy(repoId: string, { covered, superseded, unknown }: PackPlan): Promise<void> {
    await deleteLocal(repoId, superseded);
    await deleteLocal(repoId, unknown, UNKNOWN_AGE_MS);
    if (covered.length > 0) fetchLater(repoId, covered);
  }

  /** Fetches packs of which all objects are in the folder already, so that many small ones can be deleted. */
  function fetchLater(repoId: string, packs: readonly KeptPack[]): void {
    if (later.has(repoId) || stopping) return;
    later.add(repoId);
    void inTurn(async () => {
      try {
        for (const pack of packs) if (!stopping) await download(repoId, pack);
        await tidy(repoId, { ...(await planOf(repoId)), covered: [] });
      } catch (err) {
        logger.warn({ err, repoId }, 'a pack that replaces others could not be fetched');
      } finally {
        later.delete(repoId);
      }
    });
  }

  const fetch = createSharedRuns(async (repoId: string): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const plan = await planOf(repoId);
      if (plan.missing.length === 0) return tidy(repoId, plan);
      await makeFolder(store.packFolderOf(repoId), store.files);
      const found = await inParallel(plan.missing, MAX_DOWNLOADS, (pack) => download(repoId, pack));
      const gone = plan.missing.find((_, at) => found[at] === false);
      if (!gone) return tidy(repoId, { ...plan, missing: [] });
      if (tries < MAX_TRIES) continue;
      logger.error({ repoId, pack: gone.name }, 'a pack is missing in the bucket');
      throw missing(gone.name);
    }
  });

  return {
    /** Resolves once the folder of a repository has all objects that the database named before the call. */
    fetch,

    /** Fetches also what is damaged in the folder. */
    async repair(repoId: string): Promise<void> {
      const last = repairedAt.get(repoId) ?? Number.NEGATIVE_INFINITY;
      if (clock.now() - last < REPAIR_REST_MS) return;
      repairedAt.set(repoId, clock.now());
      const folder = store.packFolderOf(repoId);
      for (const name of await localPacks(repoId)) {
        const path = join(folder, name);
        if ((await isSoundPack(`${path}.pack`, name)) && (await isSoundIndex(`${path}.idx`, name))) continue;
        logger.warn({ repoId, pack: name }, 'a pack on the disk is damaged and is fetched again');
        await deleteLocal(repoId, [name]);
      }
      await fetch(repoId);
    },

    /** Fetches also the packs of which all objects are in the folder already. */
    async fetchAll(repoId: string): Promise<void> {
      await fetch(repoId);
      for (const pack of (await planOf(repoId)).covered) await download(repoId, pack);
    },

    /** Ends the work in the background. */
    async stop(): Promise<void> {
      stopping = true;
      await inTurn(async () => {});
    },
  };
}
