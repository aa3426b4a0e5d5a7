import { ALREADY_RUNNING } from '@moonbase/contract/jobs/schedules';
import type { JobSpecification } from '@moonbase/contract/jobs/specification';
import { type JobNamespace, requireJobNamespace } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, type Executor, type ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../../platform/http/pagination.ts';
import type { Ids } from '../../platform/ids.ts';
import type { SealedAt, SecretBox } from '../../platform/secrets.ts';
import { type Launching, UNREADABLE_SECRETS } from '../execution/launch.ts';
import { presentJob, presentScheduledJob } from '../runs/present.ts';
import { reachedScheduledJobs, requireReachedScheduledJob } from '../runs/reach.ts';
import { refused, requireRunnable } from '../runs/requests.ts';
import { jobNotFound, requireChange } from '../runs/service.ts';
import { labelText, specificationOf } from '../runs/specification.ts';
import { findShownJob, hasUnfinished } from '../runs/store.ts';
import type { ScheduledJobRow } from '../tables.ts';
import { nextRun, scheduleFault } from './schedule.ts';
import {
  countScheduled,
  deleteScheduled,
  findScheduled,
  insertScheduled,
  listScheduled,
  lockScheduled,
  type ShownScheduledJob,
  updateScheduled,
} from './store.ts';

export type ScheduledJobs = ReturnType<typeof createScheduledJobs>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly launching: Launching;
  readonly nudge: () => void;
}

interface ScheduledInput {
  readonly jobSpec: JobSpecification;
  readonly schedule: string;
  readonly suspend: boolean;
  readonly concurrency: boolean;
}

type AuditType = 'create' | 'delete' | 'resume' | 'suspend' | 'run' | 'update_schedule';

const MAX_SCHEDULES = 1000;
/** Stands where a schedule, after years, comes due no more. */
const NEVER = Date.UTC(9999, 11, 31);

const scheduledNotFound = () => notFound('There is no such scheduled job here');

const secretsAt = (id: string): SealedAt => ({ table: 'scheduled_jobs', column: 'secrets', id });

/** The secrets of a scheduled job; undefined where they cannot be read. */
export const scheduledSecrets = (launching: Launching, { id, secrets }: ScheduledJobRow) =>
  launching.secretsOf(secrets, secretsAt(id));

/** A new run of a scheduled job, as its creator. */
export const runOf = (job: ScheduledJobRow, secrets: Readonly<Record<string, string>>) => ({
  ownerId: job.owner_id,
  creator: { id: job.created_by, name: job.created_by_name },
  initiator: { type: 'scheduled-job' as const, id: job.id },
  specification: specificationOf(job),
  labels: job.labels,
  secrets,
});

export function createScheduledJobs({ database, clock, ids, secretBox, audit, launching, nudge }: Dependencies) {
  const { read } = database;

  const shown = (caller: Caller, { account }: JobNamespace, job: ShownScheduledJob) =>
    presentScheduledJob(caller.baseUrl, account, job, job.next_run_at ?? nextRun(job.schedule, clock.now()) ?? NEVER);

  async function present(reader: ReadExecutor, caller: Caller, namespace: JobNamespace, id: string) {
    const job = await findScheduled(reader, namespace.account.id, id);
    if (!job) throw scheduledNotFound();
    await requireReachedScheduledJob(reader, caller.principal, job);
    return shown(caller, namespace, job);
  }

  async function record(tx: Executor, caller: Caller, { account }: JobNamespace, type: AuditType, id: string) {
    if (account.kind !== 'org') return;
    const message = `${MESSAGES[type]} the scheduled job ${id}`;
    await audit.record(tx, caller, { orgId: account.id, type: `scheduled_job.${type}`, message, data: { jobId: id } });
  }

  function requireSchedule(schedule: string): number {
    const fault = scheduleFault(schedule, clock.now());
    if (fault) throw badRequest(`body.schedule: ${fault}`, [{ path: 'body.schedule', message: fault }]);
    return nextRun(schedule, clock.now()) ?? NEVER;
  }

  const changing = <T>(
    caller: Caller,
    name: string,
    id: string,
    change: (tx: Executor, job: ScheduledJobRow, namespace: JobNamespace) => Promise<T>,
  ): Promise<T> =>
    database.transaction(async (tx) => {
      const namespace = await requireJobNamespace(tx, caller.principal, name, 'write');
      const job = await lockScheduled(tx, namespace.account.id, id);
      if (!job) throw scheduledNotFound();
      await requireReachedScheduledJob(tx, caller.principal, job);
      requireChange(namespace, caller, job.created_by);
      afterCommit(tx, nudge);
      return change(tx, job, namespace);
    });

  return {
    async create(caller: Caller, name: string, { jobSpec, schedule, suspend, concurrency }: ScheduledInput) {
      await requireJobNamespace(read, caller.principal, name, 'write');
      const { specification, labels, secrets } = await requireRunnable(
        launching,
        read,
        caller.principal,
        jobSpec,
        'body.jobSpec',
      );
      const nextRunAt = requireSchedule(schedule);
      return database.transaction(async (tx) => {
        const namespace = await requireJobNamespace(tx, caller.principal, name, 'write');
        await lockAccount(tx, namespace.account.id);
        if ((await countScheduled(tx, namespace.account.id)) >= MAX_SCHEDULES)
          throw conflict(
            `${namespace.account.name} has ${MAX_SCHEDULES} scheduled jobs, which are the most; delete one first`,
          );
        const id = ids();
        await insertScheduled(tx, {
          id,
          owner_id: namespace.account.id,
          created_by: caller.principal.userId,
          created_by_name: caller.principal.userName,
          created_at: clock.now(),
          schedule,
          suspended: suspend ? 1 : 0,
          concurrency: concurrency ? 1 : 0,
          specification: JSON.stringify(specification),
          secrets: Object.keys(secrets).length > 0 ? secretBox.seal(JSON.stringify(secrets), secretsAt(id)) : null,
          labels,
          next_run_at: suspend ? null : nextRunAt,
          last_job_id: null,
          last_job_at: null,
        });
        await record(tx, caller, namespace, 'create', id);
        afterCommit(tx, nudge);
        return present(tx, caller, namespace, id);
      });
    },

    async list(
      caller: Caller,
      name: string,
      query: { labels: readonly string[]; cursor?: string | undefined; limit: number },
    ) {
      const before = idFromCursor(query.cursor);
      const namespace = await requireJobNamespace(read, caller.principal, name, 'read');
      const page = { before, limit: query.limit + 1 };
      const rows = await listScheduled(read, namespace.account.id, query.labels, page);
      const { items, next } = pageFrom(rows, query.limit, ({ id }) => id);
      const reached = await reachedScheduledJobs(read, caller.principal, items);
      return { items: reached.map((job) => shown(caller, namespace, job)), next };
    },

    async get(caller: Caller, name: string, id: string) {
      return present(read, caller, await requireJobNamespace(read, caller.principal, name, 'read'), id);
    },

    delete: (caller: Caller, name: string, id: string) =>
      changing(caller, name, id, async (tx, _job, namespace) => {
        await deleteScheduled(tx, id);
        await record(tx, caller, namespace, 'delete', id);
      }),

    setSuspended: (caller: Caller, name: string, id: string, suspended: boolean) =>
      changing(caller, name, id, async (tx, job, namespace) => {
        if ((job.suspended === 1) === suspended) return;
        if (!suspended) await requireReachedScheduledJob(tx, caller.principal, job, 'write');
        const next_run_at = suspended ? null : (nextRun(job.schedule, clock.now()) ?? null);
        await updateScheduled(tx, id, { suspended: suspended ? 1 : 0, next_run_at });
        await record(tx, caller, namespace, suspended ? 'suspend' : 'resume', id);
      }),

    /** Now, and beside the schedule. */
    run: (caller: Caller, name: string, id: string) =>
      changing(caller, name, id, async (tx, job, namespace) => {
        if (job.concurrency === 0 && (await hasUnfinished(tx, id))) throw conflict(ALREADY_RUNNING);
        const refusal = await launching.refusal(tx, specificationOf(job), caller.principal);
        if (refusal) throw refused('jobSpec', refusal);
        const secrets = scheduledSecrets(launching, job);
        const failure = secrets ? undefined : UNREADABLE_SECRETS;
        const jobId = await launching.insert(tx, runOf(job, secrets ?? {}), failure);
        await updateScheduled(tx, id, { last_job_id: jobId, last_job_at: clock.now() });
        await record(tx, caller, namespace, 'run', id);
        const run = await findShownJob(tx, namespace.account.id, jobId);
        if (!run) throw jobNotFound();
        return presentJob(caller.baseUrl, namespace.account, run, clock.now());
      }),

    setSchedule: (caller: Caller, name: string, id: string, schedule: string) =>
      changing(caller, name, id, async (tx, job, namespace) => {
        const nextRunAt = requireSchedule(schedule);
        await requireReachedScheduledJob(tx, caller.principal, job, 'write');
        await updateScheduled(tx, id, { schedule, next_run_at: job.suspended === 1 ? null : nextRunAt });
        await record(tx, caller, namespace, 'update_schedule', id);
        return present(tx, caller, namespace, id);
      }),

    setLabels: (caller: Caller, name: string, id: string, labels: Readonly<Record<string, string>>) =>
      changing(caller, name, id, async (tx, _job, namespace) => {
        await updateScheduled(tx, id, { labels: labelText(labels) });
        return present(tx, caller, namespace, id);
      }),
  };
}

const MESSAGES: Readonly<Record<AuditType, string>> = {
  create: 'Created',
  delete: 'Deleted',
  resume: 'Resumed',
  suspend: 'Suspended',
  run: 'Ran',
  update_schedule: 'Changed the schedule of',
};
