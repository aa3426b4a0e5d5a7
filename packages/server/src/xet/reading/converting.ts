import { type LargeFiles, paced } from '../../content/index.ts';
import type { BlobName } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { HubError } from '../../platform/http/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { HOLD_MS } from '../hold.ts';
import { candidatesAfter, chunkListsAfter, haveBucketsFiles, putFailure } from './candidates-store.ts';
import type { CutIntoChunks } from './chunk-lists.ts';

const IDLE_MS = 30_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH_ROWS = 500;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly largeFiles: Pick<LargeFiles, 'extendHold'>;
  readonly cutIntoChunks: CutIntoChunks;
  /** Whether only the files of buckets are wanted: they can be downloaded through Xet whatever the settings say. */
  readonly onlyBuckets: boolean;
  /** Returns whether this process is the one, of all that share the database, that converts files. */
  readonly isLeader: () => Promise<boolean>;
}

/**
 * Finds out the chunks of large files, however they came, one file in each round, so that they can be downloaded through
 * Xet. The files stay as they are; a blob lists the chunks of each, and is kept as long as the file.
 */
export function createConverting({
  database,
  clock,
  logger,
  largeFiles,
  cutIntoChunks,
  onlyBuckets,
  isLeader,
}: Dependencies) {
  let idleUntil = 0;
  let cursor = '';
  let heldAt: number | undefined;
  let stopping = false;

  /** Converts a file; a file that cannot be read is left alone for a day. */
  async function attempt(file: BlobName): Promise<void> {
    try {
      await cutIntoChunks(file, (bytes) => paced(bytes, () => stopping));
    } catch (error) {
      // The store or the threads do not work at the moment: the next pass tries the file again.
      if (stopping || (error instanceof HubError && error.status >= 500)) throw error;
      logger.error({ err: error, sha256: file.sha256 }, 'the chunks of a large file could not be found out');
      await database.transaction((tx) => putFailure(tx, file, clock.now() + DAY_MS));
    }
  }

  /** Returns the next file of the pass over all blobs, or how far a page without any goes. */
  async function convertNext(): Promise<number> {
    const page = await candidatesAfter(database.read, cursor, {
      ...{ now: clock.now(), limit: BATCH_ROWS, onlyBuckets },
    });
    const file = page.find(({ isDue }) => isDue);
    if (file) {
      // The others come first if this one fails.
      cursor = file.sha256;
      await attempt({ sha256: file.sha256, size: file.size });
      return 1;
    }
    cursor = page.length < BATCH_ROWS ? '' : (page.at(-1)?.sha256 ?? '');
    return cursor === '' ? 0 : 1;
  }

  /** Keeps the lists of chunks, once a day. */
  async function holdLists(): Promise<void> {
    const now = clock.now();
    if (heldAt !== undefined && now - heldAt < DAY_MS) return;
    heldAt = now;
    let after: string | undefined = '';
    while (after !== undefined && !stopping) {
      const { last, blobs } = await chunkListsAfter(database.read, after, { limit: BATCH_ROWS, onlyBuckets });
      if (blobs.length > 0) await database.transaction((tx) => largeFiles.extendHold(tx, blobs, now + HOLD_MS));
      after = last;
    }
  }

  return {
    async round(): Promise<{ done: number }> {
      if (stopping || clock.now() < idleUntil || !(await isLeader())) return { done: 0 };
      const isWork = !onlyBuckets || (await haveBucketsFiles(database.read));
      if (isWork) await holdLists();
      const done = isWork ? await convertNext() : 0;
      if (done === 0) idleUntil = clock.now() + IDLE_MS;
      return { done };
    },

    /** Interrupts the conversion in progress. */
    stop(): void {
      stopping = true;
    },
  };
}
