import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import { BlobError } from '../../platform/blobs/blob-store.ts';
import { verify } from '../../platform/blobs/verified.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import { recordDeleted } from '../../platform/retention/deletion-store.ts';
import type { BlobRow } from '../tables.ts';
import {
  deleteBlobRows,
  findUnchecked,
  listDeleting,
  markChecked,
  markDeleting,
  namesAfter,
} from './blob-row-store.ts';
import type { IsCommitted } from './committed-files.ts';
import { deleteUncommitted, findUncommitted, recordCommitted } from './grant-store.ts';
import { paced } from './paced.ts';
import { releaseUnused } from './unused.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const IDLE_MS = 60_000;
const BATCH_ROWS = 500;
const DELETED_PER_ROUND = 50;
/** A file that no commit refers to stays this long, because clients upload many files before they commit the first. */
const UNCOMMITTED_MS = 2 * DAY_MS;
/** Leftovers of interrupted streams and uploads are deleted at these ages, counted from the last write. */
const LEFTOVER_AGES = { streamsOlderThanMs: HOUR_MS, uploadsOlderThanMs: 2 * DAY_MS };

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: BlobStore;
  readonly graceDays: number;
  readonly checkDays: number;
  /** Returns whether this process is the one, of all that share the database, that maintains blobs. */
  readonly isLeader: () => Promise<boolean>;
  readonly isCommitted: IsCommitted;
}

/**
 * Maintains stored blobs, a little in each round: takes them from deleted repositories and from those that never committed
 * them, deletes blobs that no repository has had for the grace period, deletes leftovers of unfinished uploads, and
 * verifies each blob from time to time.
 */
export function createUpkeep(dependencies: Dependencies) {
  const { database, clock, logger, store, graceDays, checkDays, isLeader, isCommitted } = dependencies;
  let idleUntil = 0;
  let nextPassAt = 0;
  let sweptAt = 0;
  let cursor: string | undefined;
  let stopping = false;

  /** Takes some blobs from the repositories that have had them for days and in no commit. */
  async function takeUncommitted(names: readonly string[], now: number): Promise<void> {
    const pushedBefore = now - UNCOMMITTED_MS;
    for (const file of await findUncommitted(database.read, names, pushedBefore)) {
      const settle = (await isCommitted(file)) ? recordCommitted : deleteUncommitted;
      await database.transaction((tx) => settle(tx, file, pushedBefore));
    }
  }

  /** Takes the blobs of one page from deleted repositories and notes unused ones; a pass over all starts every hour. */
  async function noteOnePage(): Promise<number> {
    const now = clock.now();
    if (cursor === undefined && now < nextPassAt) return 0;
    const names = await namesAfter(database.read, cursor ?? '', BATCH_ROWS);
    await takeUncommitted(names, now);
    if (names.length > 0 && !(await database.transaction((tx) => releaseUnused(tx, names, now)))) return 1;
    nextPassAt = now + HOUR_MS;
    cursor = names.length < BATCH_ROWS ? undefined : names.at(-1);
    return names.length === BATCH_ROWS ? 1 : 0;
  }

  async function deleteUnused(): Promise<number> {
    const now = clock.now();
    await database.transaction((tx) =>
      markDeleting(tx, { unusedBefore: now - graceDays * DAY_MS, now, limit: DELETED_PER_ROUND }),
    );
    const names = await listDeleting(database.read, DELETED_PER_ROUND);
    if (names.length === 0) return 0;
    // The bytes go first: a row without bytes is found again, but bytes without a row are not.
    for (const sha256 of names) await store.delete(sha256);
    await database.transaction(async (tx) => {
      await deleteBlobRows(tx, names);
      await recordDeleted(tx, 'large-files', names.length, now);
    });
    return names.length;
  }

  async function checkOne(): Promise<number> {
    const blob = await findUnchecked(database.read, clock.now() - checkDays * DAY_MS);
    if (!blob) return 0;
    const state = await stateOf(blob);
    if (state === undefined) return 0;
    if (state === 'damaged')
      logger.error({ sha256: blob.sha256, size: blob.size }, 'a large file is damaged or missing and is not served');
    await database.transaction((tx) => markChecked(tx, blob, state, clock.now()));
    return 1;
  }

  /** Returns undefined if the hub is stopping. Throws if the store is unavailable. */
  async function stateOf(blob: BlobRow): Promise<'stored' | 'damaged' | undefined> {
    try {
      await verify(
        blob,
        paced(await store.get(blob.sha256), () => stopping),
      );
      return 'stored';
    } catch (error) {
      if (stopping) return undefined;
      if (error instanceof BlobError && error.fault !== 'unavailable') return 'damaged';
      throw error;
    }
  }

  return {
    async round(): Promise<{ done: number }> {
      if (clock.now() < idleUntil || !(await isLeader())) return { done: 0 };
      if (clock.now() - sweptAt >= HOUR_MS) {
        sweptAt = clock.now();
        await store.sweep(LEFTOVER_AGES);
      }
      const done = (await noteOnePage()) + (await deleteUnused()) + (await checkOne());
      if (done === 0) idleUntil = clock.now() + IDLE_MS;
      return { done };
    },

    /** Interrupts the verification in progress. */
    stop(): void {
      stopping = true;
    },
  };
}
