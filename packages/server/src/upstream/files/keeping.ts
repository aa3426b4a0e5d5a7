import type { Readable } from 'node:stream';
import type { LargeFiles } from '../../content/index.ts';
import type { ByteRange } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { HubError } from '../../platform/http/errors.ts';
import type { WarningLogger } from '../../platform/logger.ts';
import type { UpstreamContent } from './content-id.ts';
import { findKept, putKept, touchKept } from './kept-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** For how long a blob is kept at a time; a task extends it while the file is kept. */
export const KEEP_MS = 3 * DAY_MS;
/** The status of the error for bytes that the storage does not have. */
const MISSING = 404;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: WarningLogger;
  readonly largeFiles: Pick<LargeFiles, 'keep' | 'readHeld'>;
}

export type Keeping = ReturnType<typeof createKeeping>;

/** Keeps verified files of the upstream as blobs. */
export function createKeeping({ database, clock, logger, largeFiles }: Dependencies) {
  return {
    /** Keeps the bytes of a file; keeps nothing if they end with an error. */
    keep({ id, size }: UpstreamContent, bytes: AsyncIterable<Uint8Array>): Promise<void> {
      const until = clock.now() + KEEP_MS;
      return largeFiles.keep({
        ...{ bytes, maxBytes: size, until },
        onStored: (tx, { sha256 }) =>
          putKept(tx, { content_id: id, sha256, size, kept_until: until, used_at: clock.now() }),
      });
    },

    /** To be called when a file that was served could not be kept. */
    onFailure: (err: unknown, { size }: UpstreamContent): void =>
      logger.warn({ err, size }, 'a file of the upstream could not be kept'),

    /** Returns the bytes of a file, or of a range, if they are here and sound; notes the use once a day. */
    async read({ id, size }: UpstreamContent, range: ByteRange | undefined): Promise<Readable | undefined> {
      const kept = await findKept(database.read, id);
      if (kept?.size !== size) return undefined;
      const now = clock.now();
      if (now - kept.used_at >= DAY_MS) await database.transaction((tx) => touchKept(tx, id, now));
      return largeFiles.readHeld(kept.sha256, range ?? { first: 0, last: size - 1 }).catch((error: unknown) => {
        if (error instanceof HubError && error.status === MISSING) return undefined;
        throw error;
      });
    },
  };
}
