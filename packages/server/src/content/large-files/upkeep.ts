import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import { BlobError } from '../../platform/blobs/blob-store.ts';
import { verify } from '../../platform/blobs/verified.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import type { BlobRow } from '../tables.ts';
import {
  deleteBlobRows,
  findUnchecked,
  listDeleting,
  markChecked,
  markDeleting,
  namesBehind,
  noteUnused,
} from './blob-row-store.ts';
import { paced } from './paced.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const IDLE_MS = 60_000;
const BATCH_ROWS = 500;
const BATCH_DELETED = 50;
/** Bytes of streams that broke off; a slow one is written to more often. */
const UNFINISHED = { streamsOlderThanMs: HOUR_MS, uploadsOlderThanMs: 2 * DAY_MS };

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: BlobStore;
  readonly graceDays: number;
  readonly checkDays: number;
  /** Whether this process is the one that looks after blobs, of all that share the database. */
  readonly hold: () => Promise<boolean>;
}

/**
 * Looks after stored blobs, a little in each round: deletes those that no repository has any more after a time of grace,
 * and what uploads left unfinished; reads each one again now and then, and marks those that are damaged.
 */
export function createUpkeep({ database, clock, logger, store, graceDays, checkDays, hold }: Dependencies) {
  let idleUntil = 0;
  let passAt = 0;
  let sweptAt = 0;
  let behind: string | undefined;
  let stopping = false;

  /** One page of a pass over all names, which begins every hour. */
  async function noteOnePage(): Promise<number> {
    const now = clock.now();
    if (behind === undefined && now < passAt) return 0;
    const names = await namesBehind(database.read, behind ?? '', BATCH_ROWS);
    if (names.length > 0) await database.transaction((tx) => noteUnused(tx, names, now));
    passAt = now + HOUR_MS;
    behind = names.length < BATCH_ROWS ? undefined : names.at(-1);
    return names.length === BATCH_ROWS ? 1 : 0;
  }

  async function deleteUnused(): Promise<number> {
    await database.transaction((tx) => markDeleting(tx, clock.now() - graceDays * DAY_MS, BATCH_DELETED));
    const names = await listDeleting(database.read, BATCH_DELETED);
    if (names.length === 0) return 0;
    // The bytes go first: a row without bytes is found again, bytes without a row are not.
    for (const sha256 of names) await store.delete(sha256);
    await database.transaction((tx) => deleteBlobRows(tx, names));
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

  /** Undefined where nothing can be said, as the store does not answer. */
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
      if (clock.now() < idleUntil || !(await hold())) return { done: 0 };
      if (clock.now() - sweptAt >= HOUR_MS) {
        sweptAt = clock.now();
        await store.sweep(UNFINISHED);
      }
      const done = (await noteOnePage()) + (await deleteUnused()) + (await checkOne());
      if (done === 0) idleUntil = clock.now() + IDLE_MS;
      return { done };
    },

    /** Ends the reading that is going on. */
    stop(): void {
      stopping = true;
    },
  };
}
