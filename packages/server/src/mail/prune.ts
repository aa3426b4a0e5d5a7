import * as z from 'zod';
import type { Clock } from '../platform/clock.ts';
import { firstIdAt } from '../platform/ids.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { recordDeleted } from '../platform/retention/deletion-store.ts';
import { deleteFinished } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Finished mails are kept this long: for complaints, and because they tell which comments a user was sent. */
export const MAIL_DAYS = 30;
const BATCH_ROWS = 1000;

export const pruneMailsTask = defineTask('mails.retain', z.null());

/** Deletes old finished mails, one batch per step. */
export const createPruneMails =
  ({ clock }: { readonly clock: Clock }): StepOf<typeof pruneMailsTask> =>
  async (tx) => {
    const now = clock.now();
    const count = await deleteFinished(tx, firstIdAt(now - MAIL_DAYS * DAY_MS), BATCH_ROWS);
    await recordDeleted(tx, 'mails', count, now);
    return count === BATCH_ROWS ? { data: null } : 'done';
  };
