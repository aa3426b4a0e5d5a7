import { sql } from 'kysely';
import { z } from 'zod';
import type { QueueName, Tables } from '../database/tables.ts';
import { defineTask, type StepOf } from './tasks.ts';

const PAGE = 500;

/** Where the items of each queue are. */
const ITEMS = {
  events: 'events',
  tasks: 'tasks',
  deliveries: 'deliveries',
  mails: 'mails',
  jobs: 'jobs',
  'scheduled-jobs': 'scheduled_jobs',
} as const satisfies Record<QueueName, keyof Tables>;

const itemIsThere = sql.join(
  Object.entries(ITEMS).map(
    ([queue, table]) =>
      sql`(queue = ${sql.lit(queue)} and exists (select 1 from ${sql.table(table)} as item where item.id = item_id))`,
  ),
  sql` or `,
);

/** `after` is the letter up to which it is done. */
export const pruneDeadLettersTask = defineTask('dead-letters.retain', z.object({ after: z.string() }).nullable());

/** Forgets dead letters whose item is gone, as with its webhook, organization or user: a page of letters a step. */
export const pruneDeadLetters: StepOf<typeof pruneDeadLettersTask> = async (tx, { data }) => {
  const { after } = data ?? { after: '' };
  const { rows } = await sql<{ id: string }>`
    select id from dead_letters where id > ${after} order by id limit ${PAGE}`.execute(tx);
  const last = rows.at(-1)?.id;
  if (last === undefined) return 'done';
  await sql`delete from dead_letters where id > ${after} and id <= ${last} and not (${itemIsThere})`.execute(tx);
  return { data: { after: last } };
};
