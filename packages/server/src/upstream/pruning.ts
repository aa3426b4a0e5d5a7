import * as z from 'zod';
import type { LargeFiles } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { recordDeleted } from '../platform/retention/deletion-store.ts';
import { MAX_OF_ALL } from './facts/capacity.ts';
import { deleteSomeFacts, deleteUnusedRepos, unusedCommit } from './facts/prune-store.ts';
import { KEEP_MS } from './files/keeping.ts';
import { keptUntil, leastUsed, noteKept } from './files/kept-store.ts';
import { forgetFiles } from './files/room.ts';
import { totalOf } from './total-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH_FILES = 200;
const BATCH_ROWS = 500;
/** Of the room for facts, this is taken at most after a round, so that new ones find some. */
const SHARE_AFTER_PRUNING = 0.9;

interface Dependencies {
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'keepLonger' | 'release'>;
  readonly keepDays: number;
}

export const pruneUpstreamTask = defineTask('upstream.prune', z.null());

/** Forgets files and facts of the upstream that were not used for long, and keeps the blobs of the other files. */
export const createPruneUpstream =
  ({ clock, largeFiles, keepDays }: Dependencies): StepOf<typeof pruneUpstreamTask> =>
  async (tx) => {
    const now = clock.now();
    const usedBefore = now - keepDays * DAY_MS;
    const unused = await leastUsed(tx, { limit: BATCH_FILES, usedBefore });
    if (unused.length > 0) {
      await forgetFiles(tx, largeFiles, unused);
      await recordDeleted(tx, 'upstream-files', unused.length, now);
      return { data: null };
    }
    const due = await keptUntil(tx, now + KEEP_MS - DAY_MS, BATCH_ROWS);
    if (due.length > 0) {
      const until = now + KEEP_MS;
      await largeFiles.keepLonger(
        tx,
        due.map(({ sha256 }) => sha256),
        until,
      );
      await noteKept(
        tx,
        due.map(({ content_id }) => content_id),
        until,
      );
      return { data: null };
    }
    const isFull = (await totalOf(tx, 'facts')) > MAX_OF_ALL * SHARE_AFTER_PRUNING;
    const commit = await unusedCommit(tx, isFull ? now : usedBefore);
    if (commit) {
      await deleteSomeFacts(tx, commit, BATCH_ROWS);
      return { data: null };
    }
    return (await deleteUnusedRepos(tx, usedBefore, BATCH_ROWS)) === BATCH_ROWS ? { data: null } : 'done';
  };
