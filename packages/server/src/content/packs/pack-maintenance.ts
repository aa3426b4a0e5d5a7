import type { Clock } from '../../platform/clock.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { ObjectCounts } from '../../platform/git/maintenance/object-counts.ts';
import type { Look } from '../git-upkeep/maintenance.ts';
import type { GitUpkeepRow } from '../tables.ts';
import type { Consolidate } from './consolidation.ts';
import { packsOf } from './pack-store.ts';

/** A repository with as many packs is consolidated. */
const MIN_PACKS = 30;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly clock: Clock;
  readonly consolidate: Consolidate;
}

/** Returns the function that writes the small packs of a repository into one, where that is due. */
export function createPackMaintenance({ read, clock, consolidate }: Dependencies) {
  async function count(repoId: string): Promise<ObjectCounts> {
    const inUse = (await packsOf(read, repoId)).filter(({ replacedBy }) => replacedBy === null);
    const packedBytes = inUse.reduce((sum, { bytes }) => sum + bytes, 0);
    return { looseObjects: 0, looseBytes: 0, packs: inUse.length, packedBytes };
  }

  /** Throws the reason of the signal if that ends the work. */
  return async ({ repo_id: repoId, requested_at }: GitUpkeepRow, signal: AbortSignal): Promise<Look> => {
    const before = await count(repoId);
    const isDue = requested_at !== null || before.packs >= MIN_PACKS;
    const startedAt = performance.now();
    const isPacked = isDue && (await consolidate(repoId, signal));
    if (!isPacked) return { counts: before, pruneAt: null, nextAt: null };
    const counts = await count(repoId);
    const durationMs = Math.round(performance.now() - startedAt);
    return {
      ...{ counts, pruneAt: null, maintained: { durationMs, bytesSaved: before.packedBytes - counts.packedBytes } },
      // A repository with very many packs takes several steps.
      nextAt: counts.packs >= MIN_PACKS ? clock.now() : null,
    };
  };
}
