import * as z from 'zod';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { deleteMissingBetween, nextKeys } from './store.ts';
import type { List } from './target-conditions.ts';

const PAGE = 500;

const LISTS = ['watches', 'mutes'] as const satisfies List[];

const Key = z.object({ user_id: z.string(), target_id: z.string() });

const FIRST: z.infer<typeof Key> = { user_id: '', target_id: '' };

/** `table` is the position of the list that is being pruned, `after` the key up to which that is done. */
export const pruneWatchesTask = defineTask('watching.retain', z.object({ table: z.number(), after: Key }).nullable());

/** Deletes watches and mutes whose targets no longer exist, for whatever reason: one page per step, in the order of keys. */
export const pruneWatches: StepOf<typeof pruneWatchesTask> = async (tx, task) => {
  const { table, after } = task.data ?? { table: 0, after: FIRST };
  const list = LISTS[table];
  if (!list) return 'done';
  const keys = await nextKeys(tx, list, after, PAGE);
  const last = keys.at(-1);
  if (last) await deleteMissingBetween(tx, list, after, last);
  if (last && keys.length === PAGE) return { data: { table, after: last } };
  return table + 1 < LISTS.length ? { data: { table: table + 1, after: FIRST } } : 'done';
};
