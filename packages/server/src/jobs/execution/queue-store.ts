import { sql } from 'kysely';
import { notDeleted, notDisabled } from '../../access/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { MAX_COUNTED, type QueueState } from '../../platform/queue/state.ts';
import type { JobRow } from '../tables.ts';

/** The maximum numbers of active jobs. */
export interface Places {
  readonly inAll: number;
  readonly perOwner: number;
}

/**
 * Returns the waiting jobs that can be admitted: the first job of each owner comes before the second of any, owners
 * with more active jobs wait longer, and jobs of one owner keep their order.
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

/** Gives jobs their first attempt. Returns the ids of those that were still waiting. */
export async function startFirstAttempts(tx: Executor, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .updateTable('jobs')
    .set({ active: 'starting', attempt: 1 })
    .where(whereIn(tx, 'id', ids))
    .where('stage', '=', 'SCHEDULING')
    .where('active', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the number of jobs that wait for a place, and the time since when. */
export async function waitingJobs(executor: ReadExecutor): Promise<QueueState> {
  const { rows } = await sql<QueueState>`
    select count(*) as waiting, min(created_at) as "oldestDueAt" from (
      select created_at from jobs where stage = 'SCHEDULING' and active is null order by id limit ${MAX_COUNTED}
    ) as counted`.execute(executor);
  return rows[0] ?? { waiting: 0, oldestDueAt: null };
}

/** Returns whether any job waits or is active. */
export async function anyJobs(executor: ReadExecutor): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id from jobs where active is not null limit 1) as running
    union all
    select id from (select id from jobs where stage = 'SCHEDULING' and active is null limit 1) as waiting`.execute(
    executor,
  );
  return rows.length > 0;
}

/** The columns of a job that a step needs, without its long texts. */
export type ActiveJob = Pick<JobRow, 'id' | 'stage' | 'finished_at' | 'attempt' | 'active' | 'deadline_at'> & {
  /** When the job was set aside as a dead letter. */
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

/**
 * Returns whether the worker ignores a job: the job is set aside, and was not canceled
 * afterwards, since the attempt of a canceled job must end.
 */
export const isSetAside = ({ setAsideAt, finished_at }: ActiveJob): boolean =>
  setAsideAt !== null && (finished_at === null || finished_at <= setAsideAt);
