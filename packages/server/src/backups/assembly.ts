import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { InformingLogger } from '../platform/logger.ts';
import { createLeases } from '../platform/queue/leases.ts';
import { createAttempt } from './attempt.ts';
import type { BackupPlace } from './places/place.ts';
import { createBackupWorker } from './worker.ts';
import type { PruneFiles, WriteBackup } from './write.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: InformingLogger;
  readonly place: BackupPlace;
  readonly settings: { readonly schedule: string; readonly keep: number };
  readonly write: WriteBackup;
  readonly pruneFiles: PruneFiles;
  /** Called for each backup that failed. */
  readonly onFailed: () => void;
}

/** How long a stop waits for a place that does not answer. */
const STOP_MS = 2_000;

/** Assembles what makes the backups of a hub that has a place for them. */
export function createBackups({ settings, ...given }: Dependencies) {
  const { database, clock, ids, logger, place } = given;
  const leases = createLeases({ database, clock, owner: ids() });
  const attempt = createAttempt({ ...given, keep: settings.keep });
  const worker = createBackupWorker({
    ...{ read: database.read, clock, logger, leases, attempt },
    ...{ place: place.name, schedule: settings.schedule },
  });
  let impatience: NodeJS.Timeout | undefined;
  return {
    ...worker,

    /** Ends a backup in progress. */
    stop(): void {
      worker.stop();
      impatience = setTimeout(() => void place.close(), STOP_MS);
    },

    /** To be called when no backup is in progress. */
    async close(): Promise<void> {
      clearTimeout(impatience);
      await leases.releaseAll();
      await place.close();
    },
  };
}
