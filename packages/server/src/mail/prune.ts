import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { firstIdAt } from '../platform/ids.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { deleteOld } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What was sent is kept for looking into complaints, and tells what a user has been told. */
const DAYS = 30;
const BATCH_ROWS = 1000;

export const pruneMailsTask = defineTask('mails.retain', z.null());

/** Deletes mails that are done with and old, a batch a step. */
export const createPruneMails =
  ({ clock }: { readonly clock: Clock }): StepOf<typeof pruneMailsTask> =>
  async (tx) => {
    const went = await deleteOld(tx, firstIdAt(clock.now() - DAYS * DAY_MS), BATCH_ROWS);
    return went === BATCH_ROWS ? { data: null } : 'done';
  };
