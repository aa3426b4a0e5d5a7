import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import { MAX_FAILURES, type SetAside } from '../../platform/queue/dead-letters.ts';
import { describeFault, failuresAfter } from '../../platform/queue/fault.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly setAside: SetAside;
}

/** The rests after successive failures of a job, because an engine may be away for a while. */
const BACKOFF_MS = [1_000, 5_000, 30_000, 120_000];

/** Counts successive failed steps per job; a job rests after each failure, and is set aside after the last. */
export function createStepFailures({ database, clock, logger, setAside }: Dependencies) {
  const failing = new Map<string, { readonly failures: number; readonly restsUntil: number }>();

  async function record(jobId: string, error: unknown): Promise<void> {
    const failures = failuresAfter(failing.get(jobId)?.failures ?? 0, error);
    failing.set(jobId, { failures, restsUntil: clock.now() + (BACKOFF_MS[failures - 1] ?? 0) });
    logger.error({ err: error, jobId, failures }, 'a step of a job failed; it will be tried again');
    if (failures < MAX_FAILURES) return;
    await database.transaction((tx) =>
      setAside(tx, 'jobs', jobId, { error: describeFault(error), failures, deaths: 0 }),
    );
    failing.delete(jobId);
  }

  return {
    /** Never rejects. */
    record: (jobId: string, error: unknown): Promise<void> =>
      record(jobId, error).catch((err: unknown) =>
        logger.error({ err, jobId }, 'a job that failed too often could not be set aside'),
      ),

    isResting: (jobId: string): boolean => (failing.get(jobId)?.restsUntil ?? 0) > clock.now(),

    forget: (jobId: string): void => {
      failing.delete(jobId);
    },

    forgetAllBut(jobIds: ReadonlySet<string>): void {
      for (const id of failing.keys()) if (!jobIds.has(id)) failing.delete(id);
    },
  };
}
