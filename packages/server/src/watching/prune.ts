import { sql } from 'kysely';
import { z } from 'zod';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { type List, targetIsThere } from './targets.ts';

const PAGE = 500;

const LISTS = ['watches', 'mutes'] as const satisfies List[];

const Row = z.object({ user_id: z.string(), target_id: z.string() });
type Row = z.infer<typeof Row>;

const BEGIN: Row = { user_id: '', target_id: '' };

/** `after` is the row of the table up to which it is done. */
export const pruneWatchesTask = defineTask('watching.retain', z.object({ table: z.number(), after: Row }).nullable());

/**
 * Forgets what is gone, however it went: with its owner, its organization, its repository. A page of rows a step, in the
 * order of their keys.
 */
export const pruneWatches: StepOf<typeof pruneWatchesTask> = async (tx, task) => {
  const { table: at, after } = task.data ?? { table: 0, after: BEGIN };
  const list = LISTS[at];
  if (!list) return 'done';
  const table = sql.table(list);
  const from = sql`(user_id, target_id) > (${after.user_id}, ${after.target_id})`;
  const { rows } = await sql<Row>`
    select user_id, target_id from ${table} where ${from} order by user_id, target_id limit ${PAGE}`.execute(tx);
  const last = rows.at(-1);
  if (last)
    await sql`
      delete from ${table} where ${from} and (user_id, target_id) <= (${last.user_id}, ${last.target_id})
      and not ${targetIsThere[list]}`.execute(tx);
  if (last && rows.length === PAGE) return { data: { table: at, after: last } };
  return at + 1 < LISTS.length ? { data: { table: at + 1, after: BEGIN } } : 'done';
};
