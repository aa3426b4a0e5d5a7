import * as z from 'zod';
import type { LargeFiles } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { lockRepoById } from '../repositories/index.ts';
import { bucketOfOldest, deleteUploads, UPLOAD_MS } from '../xet/index.ts';
import { deleteOldChanges, deleteSomeChanges } from './change-store.ts';
import { deletedBucket, deleteSomeRows, notNeeded } from './store.ts';

const BATCH_ROWS = 500;
/** Each has up to 1,000 files. */
const BATCH_CHANGES = 100;
const CHANGES_MS = 24 * 60 * 60 * 1000;

interface Dependencies {
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'delete'>;
}

export const pruneBucketsTask = defineTask('buckets.prune', z.null());

/**
 * Forgets uploads and changes that are older than a day, with the blobs that no file needs, and deletes the rows of deleted
 * buckets.
 */
export const createPruneBuckets =
  ({ clock, largeFiles }: Dependencies): StepOf<typeof pruneBucketsTask> =>
  async (tx) => {
    const sentBefore = clock.now() - UPLOAD_MS;
    const bucketId = await bucketOfOldest(tx, sentBefore);
    if (bucketId !== undefined) {
      // A batch that gives one of these files a path holds the same lock.
      const isThere = await lockRepoById(tx, bucketId);
      const forgotten = await deleteUploads(tx, bucketId, { sentBefore, limit: BATCH_ROWS });
      // The blobs of a deleted bucket go with the upkeep of blobs.
      if (isThere) await largeFiles.delete(tx, bucketId, await notNeeded(tx, bucketId, forgotten));
      return { data: null };
    }
    if ((await deleteOldChanges(tx, clock.now() - CHANGES_MS, BATCH_CHANGES)) > 0) return { data: null };
    const deleted = await deletedBucket(tx);
    if (deleted === undefined) return 'done';
    if ((await deleteSomeChanges(tx, deleted, BATCH_CHANGES)) === 0) await deleteSomeRows(tx, deleted, BATCH_ROWS);
    return { data: null };
  };
