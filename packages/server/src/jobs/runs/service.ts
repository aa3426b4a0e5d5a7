import type { JobInfo } from '@moonbase/contract/jobs/jobs';
import type { JobSpecification } from '@moonbase/contract/jobs/specification';
import { type JobNamespace, requireJobNamespace } from '../../access/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, conflict, forbidden } from '../../platform/http/errors.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { jobSecretsAt, type Launching, type NewJob, UNREADABLE_SECRETS } from '../execution/launch.ts';
import type { JobRow } from '../tables.ts';
import { presentJob } from './present.ts';
import { launchedOn } from './reach.ts';
import { createJobReads, jobNotFound, requireJob } from './reads.ts';
import { refused, requireRunnable } from './requests.ts';
import { labelText, specificationOf } from './specification.ts';
import { creatorOf } from './standing.ts';
import { cancel, findShownJob, lockJob, updateJob } from './store.ts';

export type Jobs = ReturnType<typeof createJobs>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly launching: Launching;
  /** Called with the id of each job whose state, events or log have changed. */
  readonly onChange: (jobId: string) => void;
  /** Wakes the worker. */
  readonly nudge: () => void;
}

/** Throws 403 unless the caller may change all jobs of the namespace, or is the creator of this one. */
export function requireChange({ role }: JobNamespace, caller: Caller, createdBy: string): void {
  if (role !== 'admin' && role !== 'write' && createdBy !== caller.principal.userId)
    throw forbidden("You don't have the rights to change this job: somebody else created it");
}

export function createJobs({ database, clock, audit, launching, onChange, nudge }: Dependencies) {
  const { read } = database;

  async function present(tx: Executor, caller: Caller, { account }: JobNamespace, id: string): Promise<JobInfo> {
    const job = await findShownJob(tx, account.id, id);
    if (!job) throw jobNotFound();
    return presentJob(caller.baseUrl, account, job, clock.now());
  }

  async function record(
    tx: Executor,
    caller: Caller,
    { account }: JobNamespace,
    type: 'create' | 'cancel',
    id: string,
  ): Promise<void> {
    if (account.kind !== 'org') return;
    const message = `${type === 'create' ? 'Created' : 'Canceled'} the job ${id}`;
    await audit.record(tx, caller, { orgId: account.id, type: `jobs.${type}`, message, data: { jobId: id } });
  }

  /** Changes a job in one transaction. Returns the changed job. */
  const changeJob = (
    caller: Caller,
    name: string,
    id: string,
    change: (tx: Executor, job: JobRow, namespace: JobNamespace) => Promise<void>,
  ) =>
    database.transaction(async (tx) => {
      const namespace = await requireJobNamespace(tx, caller.principal, name, 'write');
      const job = await lockJob(tx, (await requireJob(tx, caller, namespace, id)).id);
      if (!job) throw jobNotFound();
      requireChange(namespace, caller, job.created_by);
      await change(tx, job, namespace);
      return present(tx, caller, namespace, id);
    });

  const insert = (caller: Caller, name: string, job: Omit<NewJob, 'ownerId' | 'creator'>): Promise<JobInfo> =>
    database.transaction(async (tx) => {
      const namespace = await requireJobNamespace(tx, caller.principal, name, 'write');
      const creator = creatorOf(caller.principal);
      const id = await launching.insert(tx, { ...job, ownerId: namespace.account.id, creator });
      await record(tx, caller, namespace, 'create', id);
      return present(tx, caller, namespace, id);
    });

  return {
    ...createJobReads({ database, clock }),

    async run(caller: Caller, name: string, input: JobSpecification) {
      await requireJobNamespace(read, caller.principal, name, 'write');
      const parts = await requireRunnable(launching, read, caller.principal, input, 'body');
      return insert(caller, name, { ...parts, initiator: { type: 'user', id: caller.principal.userId } });
    },

    /** Runs a job again. Its secrets and its trigger are copied only for its creator. */
    async duplicate(caller: Caller, name: string, id: string) {
      const namespace = await requireJobNamespace(read, caller.principal, name, 'write');
      const job = await requireJob(read, caller, namespace, id);
      const isOwn = job.created_by === caller.principal.userId;
      const specification = { ...specificationOf(job), ...(!isOwn && { secretNames: [] }) };
      const refusal = await launching.refusal(read, specification, caller.principal);
      if (refusal) throw refused('job', refusal);
      const secrets = isOwn ? launching.secretsOf(job.secrets, jobSecretsAt(job.id)) : {};
      if (!secrets) throw conflict(UNREADABLE_SECRETS);
      return insert(caller, name, {
        specification,
        labels: job.labels,
        secrets,
        initiator: { type: 'duplicated-job', id },
        ...(isOwn &&
          job.trigger_environment !== null && {
            triggerEnvironment: parseJson(job.trigger_environment),
            otherSources: launchedOn(job),
          }),
      });
    },

    cancel: (caller: Caller, name: string, id: string) =>
      changeJob(caller, name, id, async (tx, job, namespace) => {
        if (job.finished_at !== null) return;
        await cancel(tx, id, clock.now(), `Canceled by ${caller.principal.userName}`);
        await record(tx, caller, namespace, 'cancel', id);
        afterCommit(tx, () => {
          onChange(id);
          nudge();
        });
      }),

    setLabels: (caller: Caller, name: string, id: string, labels: Readonly<Record<string, string>>) =>
      changeJob(caller, name, id, (tx) => updateJob(tx, id, { labels: labelText(labels) })),

    expose: (caller: Caller, name: string, id: string, ports: readonly number[]) =>
      changeJob(caller, name, id, async () => {
        if (ports.length > 0) throw badRequest('Ports of jobs cannot be exposed on this hub');
      }),
  };
}
