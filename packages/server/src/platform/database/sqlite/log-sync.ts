import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';

const openFile = promisify(open);
const syncFile = promisify(fdatasync);
const closeFile = promisify(close);

/** Makes commits durable off the event loop. */
export interface LogSync {
  /** Resolves when all earlier commits are on disk. After one failure, always rejects. */
  sync(): Promise<void>;
  /** Resolves once no sync is running and the log is closed. */
  close(): Promise<void>;
}

/**
 * Syncs SQLite's write-ahead log in the thread pool: a commit that syncs blocks the event loop for as long as the disk
 * takes, hundreds of milliseconds beside a checkpoint, and every reader waits. A failed sync is never retried, because the
 * system no longer knows which pages were not written. `onFailure` is called with the failure, once.
 */
export function createLogSync(file: string, onFailure: (error: Error) => void): LogSync {
  let descriptor: Promise<number> | undefined;

  async function syncLog(): Promise<void> {
    // SQLite creates the log with the first write, and keeps the file while any connection is open.
    descriptor ??= openFile(`${file}-wal`, 'r+');
    await syncFile(await descriptor);
  }

  const shared = createSharedSyncs(() =>
    syncLog().catch((cause: unknown) => {
      const error = new Error('The write-ahead log of the database could not be synced', { cause });
      onFailure(error);
      throw error;
    }),
  );

  return {
    sync: () => shared.run(),
    async close() {
      await shared.settled();
      if (descriptor) await closeFile(await descriptor);
      descriptor = undefined;
    },
  };
}

/**
 * Shares runs of `work` between callers: a run in progress may have begun too early for a caller, so all callers that
 * arrive meanwhile share the next one. After a failed run there are no more, unlike with `createSharedRuns`; and a run begins
 * only after the callers of the present moment, so that they share it.
 */
export function createSharedSyncs(work: () => Promise<void>) {
  let latest = Promise.resolve();
  let next: Promise<void> | undefined;

  return {
    run(): Promise<void> {
      next ??= latest.then(() => {
        next = undefined;
        latest = work();
        return latest;
      });
      return next;
    },
    /** Resolves when no run is in progress or pending, however they ended. */
    settled: (): Promise<void> => (next ?? latest).catch(() => {}),
  };
}
