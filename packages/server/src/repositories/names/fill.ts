import * as z from 'zod';
import type { Executor } from '../../platform/database/transaction.ts';
import { defineTask, type StepOf } from '../../platform/queue/tasks.ts';
import { addNames, indexNames } from './fill-store.ts';
import { lockFill, moveFill } from './reached-store.ts';

const BATCH_NAMES = 500;

export const fillNamesTask = defineTask('repositories.names', z.null());

/** Adds the next names of repositories of before the upgrade to those that are searched; returns whether any were missing. */
async function fill(tx: Executor): Promise<boolean> {
  const reached = await lockFill(tx, 'name_fills');
  if (reached === undefined) return false;
  await moveFill(tx, 'name_fills', await addNames(tx, reached, BATCH_NAMES));
  return true;
}

/** Completes the names that are searched and their index, a batch per step. */
export const fillNames: StepOf<typeof fillNamesTask> = async (tx) => {
  const wasFilling = await fill(tx);
  const hasMore = await indexNames(tx, BATCH_NAMES);
  return wasFilling || hasMore ? { data: null } : 'done';
};
