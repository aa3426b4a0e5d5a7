import * as z from 'zod';
import type { Clock } from '../platform/clock.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { deleteOldLogoutTokens } from './logout/logout-store.ts';

const BATCH_ROWS = 1000;

export const pruneSingleSignOnTask = defineTask('single-sign-on.prune', z.null());

/** Creates the step that deletes expired logout tokens, one batch at a time. */
export const createPruneSingleSignOn =
  ({ clock }: { readonly clock: Clock }): StepOf<typeof pruneSingleSignOnTask> =>
  async (tx) =>
    (await deleteOldLogoutTokens(tx, clock.now(), BATCH_ROWS)) < BATCH_ROWS ? 'done' : { data: null };
