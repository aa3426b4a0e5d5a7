import type { FileDownload } from '../../content/index.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import { createBufferedCounts } from '../../platform/concurrency/buffered-counts.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import { addDownloads, type Downloads, downloadsOf, pruneDownloads } from './download-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The number of days that `downloads` covers. */
export const RECENT_DAYS = 30;
/** Repeated downloads of a repository from one client address within this time count once. */
const REPEAT_MS = 5 * 60 * 1000;
const MAX_CACHED = 100_000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type DownloadCounter = ReturnType<typeof createDownloadCounter>;

/** Counts downloads in memory and stores the counts every few seconds in one transaction. */
export function createDownloadCounter({ database, clock, logger }: Dependencies) {
  const seen = boundedCache<string, number>(MAX_CACHED);
  let prunedOn = 0;
  const today = (): number => Math.floor(clock.now() / DAY_MS);
  const { flush, count } = createBufferedCounts({
    store: async (counts) => {
      const day = today();
      if (day !== prunedOn) await database.transaction((tx) => pruneDownloads(tx, day - RECENT_DAYS));
      prunedOn = day;
      await database.transaction((tx) => addDownloads(tx, day, counts));
    },
    onFailure: (err) => logger.error({ err }, 'downloads could not be counted; they are counted later'),
  });

  return {
    flush,

    onDownload({ repoId, address, path, isMarked }: FileDownload): void {
      if (path === 'README.md' || !(isMarked || path === 'config.json')) return;
      const now = clock.now();
      const key = `${repoId} ${address}`;
      const last = seen.get(key);
      if (last !== undefined && last <= now && now - last < REPEAT_MS) return;
      seen.set(key, now);
      count(repoId);
    },

    of: (repoId: string): Promise<Downloads> => downloadsOf(database.read, repoId, today() - RECENT_DAYS),
  };
}
