import type { FileDownload } from '../../content/index.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import { addDownloads, type Downloads, downloadsOf, pruneDownloads } from './download-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The number of days that `downloads` covers. */
const RECENT_DAYS = 30;
/** Repeated downloads of a repository from one client address within this time count once. */
const REPEAT_MS = 5 * 60 * 1000;
const MAX_CACHED = 100_000;
const FLUSH_MS = 10_000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type DownloadCounter = ReturnType<typeof createDownloadCounter>;

/** Counts downloads in memory and stores the counts every few seconds in one transaction. */
export function createDownloadCounter({ database, clock, logger }: Dependencies) {
  const seen = boundedCache<string, number>(MAX_CACHED);
  let pending = new Map<string, number>();
  let prunedOn = 0;
  let timer: NodeJS.Timeout | undefined;
  const today = (): number => Math.floor(clock.now() / DAY_MS);

  /** Stores the downloads since the last call; a process that crashes loses them. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const day = today();
    const counted = pending;
    pending = new Map();
    try {
      if (day !== prunedOn) await database.transaction((tx) => pruneDownloads(tx, day - RECENT_DAYS));
      prunedOn = day;
      await database.transaction((tx) => addDownloads(tx, day, counted));
    } catch (error) {
      for (const [repoId, count] of counted) pending.set(repoId, (pending.get(repoId) ?? 0) + count);
      logger.error({ err: error }, 'downloads could not be counted; they are counted later');
    }
  }

  return {
    flush,

    onDownload({ repoId, address, path, isMarked }: FileDownload): void {
      if (path === 'README.md' || !(isMarked || path === 'config.json')) return;
      const now = clock.now();
      const key = `${repoId} ${address}`;
      const last = seen.get(key);
      if (last !== undefined && last <= now && now - last < REPEAT_MS) return;
      seen.set(key, now);
      pending.set(repoId, (pending.get(repoId) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },

    of: (repoId: string): Promise<Downloads> => downloadsOf(database.read, repoId, today() - RECENT_DAYS),
  };
}
