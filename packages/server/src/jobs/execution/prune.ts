import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { defineTask, type StepOf } from '../../platform/queue/tasks.ts';
import { recordDeleted } from '../../platform/retention/deletion-store.ts';
import { updateJob } from '../runs/store.ts';
import { deletedJobs, deleteEvents, deleteJobs, deleteLogPieces, undeletedJobs } from './prune-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_JOBS_A_STEP = 20;
/** The maximum number of pieces of one log, of about 64 KiB each, that a step deletes. */
const MAX_PIECES_PER_STEP = 200;

export const pruneJobsTask = defineTask('jobs.retain', z.null());

/**
 * Creates the step that prunes jobs. A job that ended `days` ago becomes DELETED and loses its log, its secrets and the
 * payload that triggered it; after another `days` its row is deleted.
 */
export const createPruneJobs =
  ({ clock, days }: { clock: Clock; days: number }): StepOf<typeof pruneJobsTask> =>
  async (tx) => {
    const now = clock.now();
    const before = now - days * DAY_MS;
    const old = await undeletedJobs(tx, before, MAX_JOBS_A_STEP);
    for (const id of old) {
      if (await deleteLogPieces(tx, id, MAX_PIECES_PER_STEP)) return { data: null };
      await deleteEvents(tx, id);
      await updateJob(tx, id, { stage: 'DELETED', secrets: null, trigger_environment: null });
      await recordDeleted(tx, 'job-logs', 1, now);
    }
    const older = await deletedJobs(tx, before - days * DAY_MS, MAX_JOBS_A_STEP);
    await deleteJobs(tx, older);
    await recordDeleted(tx, 'jobs', older.length, now);
    return old.length === MAX_JOBS_A_STEP || older.length === MAX_JOBS_A_STEP ? { data: null } : 'done';
  };
