import { ALREADY_RUNNING } from '@moonbase/contract/jobs/schedules';
import type { JobSpecification } from '@moonbase/contract/jobs/specification';
import { type JobNamespace, requireJobNamespace } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, conflict } from '../../platform/http/errors.ts';
import type { Ids } from '../../platform/ids.ts';
import { NEVER, nextRun, scheduleFault } from '../../platform/queue/cron.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { type Launching, UNREADABLE_SECRETS } from '../execution/launch.ts';
import { presentJob } from '../runs/present.ts';
import { requireReachedScheduledJob } from '../runs/reach.ts';
import { jobNotFound } from '../runs/reads.ts';
import { refused, requireRunnable } from '../runs/requests.ts';
import { requireChange } from '../runs/service.ts';
import { labelText, specificationOf } from '../runs/specification.ts';
import { creatorOf } from '../runs/standing.ts';
import { findShownJob, hasUnfinished } from '../runs/store.ts';
import type { ScheduledJobRow } from '../tables.ts';
import { createScheduleAudit } from './audit.ts';
import { createScheduledJobReads, scheduledNotFound } from './reads.ts';
import { runOf, scheduledSecrets, scheduledSecretsAt } from './run.ts';
import { countScheduled, deleteScheduled, insertScheduled, lockScheduled, updateScheduled } from './store.ts';

export type ScheduledJobs = ReturnType<typeof createScheduledJobs>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly launching: Launching;
  /** Wakes the worker. */
  readonly nudge: () => void;
}

interface ScheduledInput {
  readonly jobSpec: JobSpecification;
  readonly schedule: string;
  readonly suspend: boolean;
  readonly concurrency: boolean;
}

const MAX_SCHEDULES = 1000;

/** Returns when a schedule is next due. Throws 400 for an invalid schedule. */
function requireSchedule(schedule: string, now: number): number {
  const fault = scheduleFault(schedule, now);
  if (fault) throw badRequest(`body.schedule: ${fault}`, [{ path: 'body.schedule', message: fault }]);
  return nextRun(schedule, now) ?? NEVER;
}

/** Returns the column of the token with which a scheduled job goes on: that of its creator; others change no token. */
const tokenOf = ({ principal }: Caller, job: ScheduledJobRow): Pick<ScheduledJobRow, 'token_id'> => ({
  token_id: job.created_by === principal.userId ? creatorOf(principal).tokenId : job.token_id,
});

export function createScheduledJobs({ database, clock, ids, secretBox, audit, launching, nudge }: Dependencies) {
  const { read } = database;
  const { present, ...reads } = createScheduledJobReads({ database, clock });
  const record = createScheduleAudit(audit);

  /** Changes a scheduled job in one transaction, and wakes the worker. */
  const changeScheduledJob = <T>(
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
    ...reads,

    async create(caller: Caller, name: string, { jobSpec, schedule, suspend, concurrency }: ScheduledInput) {
      await requireJobNamespace(read, caller.principal, name, 'write');
      const { specification, labels, secrets } = await requireRunnable(
        launching,
        read,
        caller.principal,
        jobSpec,
        'body.jobSpec',
      );
      const nextRunAt = requireSchedule(schedule, clock.now());
      return database.transaction(async (tx) => {
        const namespace = await requireJobNamespace(tx, caller.principal, name, 'write');
        await lockAccount(tx, namespace.account.id);
        if ((await countScheduled(tx, namespace.account.id)) >= MAX_SCHEDULES)
          throw conflict(
            `${namespace.account.name} has ${MAX_SCHEDULES} scheduled jobs, which is the limit; delete one first`,
          );
        const id = ids();
        const creator = creatorOf(caller.principal);
        await insertScheduled(tx, {
          id,
          owner_id: namespace.account.id,
          created_by: creator.id,
          created_by_name: creator.name,
          token_id: creator.tokenId,
          created_at: clock.now(),
          schedule,
          suspended: suspend ? 1 : 0,
          concurrency: concurrency ? 1 : 0,
          specification: JSON.stringify(specification),
          secrets:
            Object.keys(secrets).length > 0 ? secretBox.seal(JSON.stringify(secrets), scheduledSecretsAt(id)) : null,
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

    delete: (caller: Caller, name: string, id: string) =>
      changeScheduledJob(caller, name, id, async (tx, _job, namespace) => {
        await deleteScheduled(tx, id);
        await record(tx, caller, namespace, 'delete', id);
      }),

    setSuspended: (caller: Caller, name: string, id: string, suspended: boolean) =>
      changeScheduledJob(caller, name, id, async (tx, job, namespace) => {
        if ((job.suspended === 1) === suspended) return;
        if (!suspended) await requireReachedScheduledJob(tx, caller.principal, job, 'write');
        const next_run_at = suspended ? null : (nextRun(job.schedule, clock.now()) ?? null);
        await updateScheduled(tx, id, {
          suspended: suspended ? 1 : 0,
          next_run_at,
          ...(!suspended && tokenOf(caller, job)),
        });
        await record(tx, caller, namespace, suspended ? 'suspend' : 'resume', id);
      }),

    /** Runs the job now, without changing its schedule. */
    run: (caller: Caller, name: string, id: string) =>
      changeScheduledJob(caller, name, id, async (tx, job, namespace) => {
        if (job.concurrency === 0 && (await hasUnfinished(tx, id))) throw conflict(ALREADY_RUNNING);
        const refusal = await launching.refusal(tx, specificationOf(job), caller.principal);
        if (refusal) throw refused('jobSpec', refusal);
        const secrets = scheduledSecrets(launching, job);
        const failure = secrets ? undefined : UNREADABLE_SECRETS;
        const jobId = await launching.insert(tx, runOf({ ...job, ...tokenOf(caller, job) }, secrets ?? {}), failure);
        await updateScheduled(tx, id, { last_job_id: jobId, last_job_at: clock.now() });
        await record(tx, caller, namespace, 'run', id);
        const run = await findShownJob(tx, namespace.account.id, jobId);
        if (!run) throw jobNotFound();
        return presentJob(caller.baseUrl, namespace.account, run, clock.now());
      }),

    setSchedule: (caller: Caller, name: string, id: string, schedule: string) =>
      changeScheduledJob(caller, name, id, async (tx, job, namespace) => {
        const nextRunAt = requireSchedule(schedule, clock.now());
        await requireReachedScheduledJob(tx, caller.principal, job, 'write');
        const next_run_at = job.suspended === 1 ? null : nextRunAt;
        await updateScheduled(tx, id, { schedule, next_run_at, ...tokenOf(caller, job) });
        await record(tx, caller, namespace, 'update_schedule', id);
        return present(tx, caller, namespace, id);
      }),

    setLabels: (caller: Caller, name: string, id: string, labels: Readonly<Record<string, string>>) =>
      changeScheduledJob(caller, name, id, async (tx, _job, namespace) => {
        await updateScheduled(tx, id, { labels: labelText(labels) });
        return present(tx, caller, namespace, id);
      }),
  };
}
