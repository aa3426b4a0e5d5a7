import * as z from 'zod';
import type { Clock } from '../platform/clock.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { recordDeleted } from '../platform/retention/deletion-store.ts';
import { deleteOldBrowsers } from './browsers/browser-store.ts';
import { deleteOldLinks } from './links/link-store.ts';
import { deleteExpiredSessions } from './sessions/session-store.ts';
import { deleteOldFailures } from './throttle/failure-store.ts';
import { deleteOldSignInEvents } from './trail/trail-store.ts';

const BATCH_ROWS = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a used or expired link is reported as such before the hub forgets it. */
export const LINK_RETENTION_MS = 30 * DAY_MS;

/** How long entries of the sign-in trail are kept. */
export const TRAIL_RETENTION_MS = 90 * DAY_MS;

/** How long a browser that is not used stays known. */
const BROWSER_RETENTION_MS = 180 * DAY_MS;

export const pruneSignInTask = defineTask('sign-in.prune', z.null());

interface Dependencies {
  readonly clock: Clock;
  readonly idleMs: number;
}

/**
 * Creates the step that deletes ended sessions and old links, browsers, failures and trail entries, one batch of each.
 */
export const createPruneSignIn =
  ({ clock, idleMs }: Dependencies): StepOf<typeof pruneSignInTask> =>
  async (tx) => {
    const now = clock.now();
    const sessions = await deleteExpiredSessions(tx, { now, seenBefore: now - idleMs }, BATCH_ROWS);
    const links = await deleteOldLinks(tx, now - LINK_RETENTION_MS, BATCH_ROWS);
    const signIns = await deleteOldSignInEvents(tx, now - TRAIL_RETENTION_MS, BATCH_ROWS);
    await recordDeleted(tx, 'sessions', sessions, now);
    await recordDeleted(tx, 'links', links, now);
    await recordDeleted(tx, 'sign-ins', signIns, now);
    const counts = [
      ...[sessions, links, signIns],
      await deleteOldBrowsers(tx, now - BROWSER_RETENTION_MS, BATCH_ROWS),
      await deleteOldFailures(tx, now - DAY_MS, BATCH_ROWS),
    ];
    return counts.some((count) => count >= BATCH_ROWS) ? { data: null } : 'done';
  };
