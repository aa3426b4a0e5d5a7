import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import { MAX_FAILURES } from '../../platform/queue/dead-letters.ts';
import { describeFault, isTransient } from '../../platform/queue/fault.ts';
import type { GitUpkeepRow } from '../tables.ts';
import type { Look } from './maintenance.ts';
import { FAILURE_REST_MS, MANY_CHANGES, PRUNE_EVERY_MS, SOON_MS } from './pace.ts';
import { lockUpkeep, updateUpkeep } from './upkeep-store.ts';

/** An attempt to maintain a repository. */
export interface MaintenanceRun {
  readonly outcome: 'succeeded' | 'failed';
  readonly seconds: number;
  /** The bytes on the disk before, less those after; negative if there are more. */
  readonly bytesSaved: number;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onRun: (run: MaintenanceRun) => void;
  readonly maintain: (row: GitUpkeepRow, signal: AbortSignal) => Promise<Look>;
}

/** What git reports when the disk is full. */
const FULL_DISK = /No space left on device|Disk quota exceeded/;

/** Returns whether a fault is one of the machine, which passes without a change to the repository. */
const passes = (error: unknown): boolean =>
  isTransient(error) || (error instanceof Error && FULL_DISK.test(error.message));

/** Paths of the machine, which are of no use to those who may see the fault. */
const PATHS = /(?:\/[^\s'":,()]+){2,}/g;

/** Looks at a due repository and records what came of it. */
export function createLooking({ database, clock, logger, onRun, maintain }: Dependencies) {
  /** Records a look; the repository is due again soon if it changed in the meantime. */
  const record = (seen: GitUpkeepRow, { counts, maintained, pruneAt, nextAt }: Look): Promise<void> =>
    database.transaction(async (tx) => {
      const row = await lockUpkeep(tx, seen.repo_id);
      if (!row) return;
      const now = clock.now();
      const changes = Math.max(0, row.changes - seen.changes);
      const isRequestedAgain = row.requested_at !== seen.requested_at;
      const pruneNext = pruneAt ?? (changes > 0 ? now + PRUNE_EVERY_MS : null);
      await updateUpkeep(tx, seen.repo_id, {
        ...{ changes, failures: 0, fault: null, prune_at: isRequestedAgain ? row.prune_at : pruneNext },
        due_at: changes >= MANY_CHANGES || isRequestedAgain ? now : changes > 0 ? now + SOON_MS : nextAt,
        requested_at: isRequestedAgain ? row.requested_at : null,
        ...{ loose_objects: counts.looseObjects, packs: counts.packs, packed_bytes: counts.packedBytes },
        ...(maintained && {
          ...{ settled_packs: counts.packs, maintained_at: now, duration_ms: maintained.durationMs },
        }),
      });
    });

  async function recordFailure({ repo_id: repoId }: GitUpkeepRow, error: unknown): Promise<void> {
    const fault = describeFault(error).replace(PATHS, '…');
    const failures = await database.transaction(async (tx) => {
      const row = await lockUpkeep(tx, repoId);
      if (!row) return 0;
      const count = passes(error) ? row.failures : row.failures + 1;
      const isSetAside = count >= MAX_FAILURES;
      const now = clock.now();
      await updateUpkeep(tx, repoId, {
        ...{ failures: count, fault, tried_at: now, due_at: isSetAside ? null : now + FAILURE_REST_MS },
        ...(isSetAside && { changes: 0, requested_at: null }),
      });
      return count;
    });
    if (failures >= MAX_FAILURES)
      logger.error(
        { repoId, failures, err: error },
        'the git objects of a repository cannot be maintained; they are left alone until the repository changes',
      );
  }

  return async (row: GitUpkeepRow, signal: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    try {
      const found = await maintain(row, signal);
      await record(row, found);
      if (found.maintained)
        onRun({ outcome: 'succeeded', seconds: seconds(), bytesSaved: found.maintained.bytesSaved });
    } catch (error) {
      // The repository stays due: after the next start, or for the process that has taken over.
      if (signal.aborted) return;
      onRun({ outcome: 'failed', seconds: seconds(), bytesSaved: 0 });
      await recordFailure(row, error);
    }
  };
}
