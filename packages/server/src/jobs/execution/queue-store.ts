import { sql } from 'kysely';
import { notDeleted, notDisabled } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { MAX_COUNTED, type QueueState } from '../../platform/queue/state.ts';
import type { JobRow } from '../tables.ts';

export interface Places {
  /** Jobs that run at the same time, in all and of one owner. */
  readonly inAll: number;
  readonly perOwner: number;
}

/**
 * Jobs whose turn it is, the first of each owner before the second of any: whoever has more running waits longer, and
 * those of one owner go in their order.
 */
export async function nextJobs(executor: ReadExecutor, { inAll, perOwner }: Places): Promise<string[]> {
  const { active } = await executor
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('active'))
    .where('active', 'is not', null)
    .executeTakeFirstOrThrow();
  if (active >= inAll) return [];
  const { rows } = await sql<{ id: string }>`
    with running as (select owner_id, count(*) as count from jobs where active is not null group by owner_id)
    select id from (
      select jobs.id, row_number() over (partition by jobs.owner_id order by jobs.id) + coalesce(running.count, 0) as turn
      from jobs left join running on running.owner_id = jobs.owner_id
      where jobs.stage = 'SCHEDULING' and jobs.active is null and ${notDeleted(sql.ref('jobs.owner_id'))}
        and ${notDisabled(sql.ref('jobs.created_by'))}
    ) as waiting
    where turn <= ${perOwner} order by turn, id limit ${inAll - active}`.execute(executor);
  return rows.map(({ id }) => id);
}

/** Jobs that wait for a place. */
export async function waitingJobs(executor: ReadExecutor): Promise<QueueState> {
  const { rows } = await sql<QueueState>`
    select count(*) as waiting, min(created_at) as "oldestDueAt" from (
      select created_at from jobs where stage = 'SCHEDULING' and active is null order by id limit ${MAX_COUNTED}
    ) as counted`.execute(executor);
  return rows[0] ?? { waiting: 0, oldestDueAt: null };
}

/** Whether any job waits or runs. */
export async function anyJobs(executor: ReadExecutor): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id from jobs where active is not null limit 1) as running
    union all
    select id from (select id from jobs where stage = 'SCHEDULING' and active is null limit 1) as waiting`.execute(
    executor,
  );
  return rows.length > 0;
}

/** What a step of an attempt needs to know: without the texts, which are long. */
export type ActiveJob = Pick<JobRow, 'id' | 'stage' | 'finished_at' | 'attempt' | 'active' | 'deadline_at'> & {
  /** When it was set aside. */
  readonly setAsideAt: number | null;
};

export const activeJobs = (executor: ReadExecutor): Promise<ActiveJob[]> =>
  executor
    .selectFrom('jobs')
    .select(['id', 'stage', 'finished_at', 'attempt', 'active', 'deadline_at'])
    .select((eb) =>
      eb
        .selectFrom('dead_letters')
        .select('set_aside_at')
        .where('queue', '=', 'jobs')
        .whereRef('item_id', '=', 'jobs.id')
        .as('setAsideAt'),
    )
    .where('active', 'is not', null)
    .orderBy('id')
    .execute();

/** Whether no step of a job is made. Once it was canceled, what runs of it is ended nevertheless. */
export const isSetAside = ({ setAsideAt, finished_at }: ActiveJob): boolean =>
  setAsideAt !== null && (finished_at === null || finished_at <= setAsideAt);
