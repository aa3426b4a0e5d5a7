import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { deleteOldBrowsers } from './browsers/browser-store.ts';
import { deleteOldLinks } from './links/link-store.ts';
import { deleteExpiredSessions } from './sessions/session-store.ts';
import { deleteOldFailures } from './throttle/failure-store.ts';
import { deleteOldSignInEvents } from './trail/trail-store.ts';

const BATCH_ROWS = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A used or expired link says so for this long, and is unknown after that. */
const LINKS_KEPT_MS = 30 * DAY_MS;

/** So long the trail of sign-ins goes back. */
const TRAIL_KEPT_MS = 90 * DAY_MS;

/** A browser that was not used for this long is a new one. */
const BROWSERS_KEPT_MS = 180 * DAY_MS;

export const pruneSignInTask = defineTask('sign-in.prune', z.null());

interface Dependencies {
  readonly clock: Clock;
  readonly idleMs: number;
}

/** Deletes sessions that are over, old links, browsers, failures and entries of the trail, one batch of each per step. */
export const createPruneSignIn =
  ({ clock, idleMs }: Dependencies): StepOf<typeof pruneSignInTask> =>
  async (tx) => {
    const now = clock.now();
    const counts = [
      await deleteExpiredSessions(tx, { now, seenBefore: now - idleMs }, BATCH_ROWS),
      await deleteOldLinks(tx, now - LINKS_KEPT_MS, BATCH_ROWS),
      await deleteOldBrowsers(tx, now - BROWSERS_KEPT_MS, BATCH_ROWS),
      await deleteOldFailures(tx, now - DAY_MS, BATCH_ROWS),
      await deleteOldSignInEvents(tx, now - TRAIL_KEPT_MS, BATCH_ROWS),
    ];
    return counts.some((count) => count >= BATCH_ROWS) ? { data: null } : 'done';
  };
