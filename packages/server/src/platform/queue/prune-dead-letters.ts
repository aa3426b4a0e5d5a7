import * as z from 'zod';
import { keysOf } from '../typed-objects.ts';
import { pruneDeadLetterPage } from './dead-letter-store.ts';
import type { DeadLetterQueues } from './dead-letters.ts';
import { defineTask, type StepOf } from './tasks.ts';

const PAGE = 500;

/** `after` is the last letter already processed. */
export const pruneDeadLettersTask = defineTask('dead-letters.retain', z.object({ after: z.string() }).nullable());

/** Deletes dead letters whose items no longer exist, a page per step. */
export function createPruneDeadLetters(queues: DeadLetterQueues): StepOf<typeof pruneDeadLettersTask> {
  const tables = new Map(keysOf(queues).map((name) => [name, queues[name].table]));
  return async (tx, { data }) => {
    const last = await pruneDeadLetterPage(tx, tables, { after: data?.after ?? '', limit: PAGE });
    return last === undefined ? 'done' : { data: { after: last } };
  };
}
