import type { JobInfo, JobStage } from '@moonbase/contract/jobs/jobs';
import type { JobSpecification } from '@moonbase/contract/jobs/specification';
import { type JobNamespace, requireJobNamespace } from '../../access/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, type Executor, type ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, conflict, forbidden, notFound } from '../../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../../platform/http/pagination.ts';
import { jobSecretsAt, type Launching, type NewJob, UNREADABLE_SECRETS } from '../execution/launch.ts';
import type { JobRow } from '../tables.ts';
import { HARDWARE } from './hardware.ts';
import { presentJob } from './present.ts';
import { launchedOn, reachedJobs, requireReachedJob } from './reach.ts';
import { refused, requireRunnable } from './requests.ts';
import { labelText, specificationOf } from './specification.ts';
import { cancel, countJobs, findJob, findShownJob, type JobFilter, listJobs, lockJob, updateJob } from './store.ts';

export type Jobs = ReturnType<typeof createJobs>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly launching: Launching;
  /** Told of each job that has news. */
  readonly changed: (jobId: string) => void;
  readonly nudge: () => void;
}

export const jobNotFound = () => notFound('There is no such job here');

/** 403 for who neither created a thing nor may change everything in its namespace. */
export function requireChange({ role }: JobNamespace, caller: Caller, createdBy: string): void {
  if (role !== 'admin' && role !== 'write' && createdBy !== caller.principal.userId)
    throw forbidden("You don't have the rights to change this job: somebody else created it");
}

export function createJobs({ database, clock, audit, launching, changed, nudge }: Dependencies) {
  const { read } = database;

  async function present(reader: Executor, caller: Caller, { account }: JobNamespace, id: string): Promise<JobInfo> {
    const job = await findShownJob(reader, account.id, id);
    if (!job) throw jobNotFound();
    return presentJob(caller.baseUrl, account, job, clock.now());
  }

  const record = async (
    tx: Executor,
    caller: Caller,
    { account }: JobNamespace,
    type: 'create' | 'cancel',
    id: string,
  ) => {
    const message = `${type === 'create' ? 'Created' : 'Canceled'} the job ${id}`;
    if (account.kind === 'org')
      await audit.record(tx, caller, { orgId: account.id, type: `jobs.${type}`, message, data: { jobId: id } });
  };

  /** A job of the caller's, or of an organization with the role for it; 404 for any other. */
  async function requireJob(
    reader: ReadExecutor,
    caller: Caller,
    namespace: JobNamespace,
    id: string,
  ): Promise<JobRow> {
    const job = await findJob(reader, id);
    if (job?.owner_id !== namespace.account.id) throw jobNotFound();
    await requireReachedJob(reader, caller.principal, job.id);
    return job;
  }

  /** Runs a change on a job and answers what it is then. */
  const changing = (
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
      const creator = { id: caller.principal.userId, name: caller.principal.userName };
      const id = await launching.insert(tx, { ...job, ownerId: namespace.account.id, creator });
      await record(tx, caller, namespace, 'create', id);
      return present(tx, caller, namespace, id);
    });

  return {
    hardware: () => [...HARDWARE],

    async list(
      caller: Caller,
      name: string,
      { cursor, limit, ...filter }: JobFilter & { cursor?: string | undefined; limit: number },
    ) {
      const before = idFromCursor(cursor);
      const { account } = await requireJobNamespace(read, caller.principal, name, 'read');
      const rows = await listJobs(read, account.id, filter, { before, limit: limit + 1 });
      const { items, next } = pageFrom(rows, limit, ({ id }) => id);
      const reached = await reachedJobs(read, caller.principal, items);
      return { items: reached.map((job) => presentJob(caller.baseUrl, account, job, clock.now())), next };
    },

    async count(caller: Caller, name: string, stages: readonly JobStage[]) {
      const { account } = await requireJobNamespace(read, caller.principal, name, 'read');
      return { count: await countJobs(read, account.id, stages) };
    },

    async get(caller: Caller, name: string, id: string) {
      const namespace = await requireJobNamespace(read, caller.principal, name, 'read');
      const job = await findShownJob(read, namespace.account.id, id);
      if (!job) throw jobNotFound();
      await requireReachedJob(read, caller.principal, job.id);
      return presentJob(caller.baseUrl, namespace.account, job, clock.now());
    },

    /** For its streams: throws where the caller may not read it. */
    async require(caller: Caller, name: string, id: string): Promise<JobRow> {
      const namespace = await requireJobNamespace(read, caller.principal, name, 'read');
      return requireJob(read, caller, namespace, id);
    },

    async run(caller: Caller, name: string, input: JobSpecification) {
      await requireJobNamespace(read, caller.principal, name, 'write');
      const parts = await requireRunnable(launching, read, caller.principal, input, 'body');
      return insert(caller, name, { ...parts, initiator: { type: 'user', id: caller.principal.userId } });
    },

    /** With the secrets where the caller gave them, and with what triggered it. */
    async duplicate(caller: Caller, name: string, id: string) {
      const namespace = await requireJobNamespace(read, caller.principal, name, 'write');
      const job = await requireJob(read, caller, namespace, id);
      const own = job.created_by === caller.principal.userId;
      const specification = { ...specificationOf(job), ...(!own && { secretNames: [] }) };
      const refusal = await launching.refusal(read, specification, caller.principal);
      if (refusal) throw refused('job', refusal);
      const secrets = own ? launching.secretsOf(job.secrets, jobSecretsAt(job.id)) : {};
      if (!secrets) throw conflict(UNREADABLE_SECRETS);
      return insert(caller, name, {
        specification,
        labels: job.labels,
        secrets,
        initiator: { type: 'duplicated-job', id },
        ...(own &&
          job.trigger_environment !== null && {
            triggerEnvironment: JSON.parse(job.trigger_environment) as Record<string, string>,
            otherSources: launchedOn(job),
          }),
      });
    },

    cancel: (caller: Caller, name: string, id: string) =>
      changing(caller, name, id, async (tx, job, namespace) => {
        if (job.finished_at !== null) return;
        const message = `Canceled by ${caller.principal.userName}`;
        await cancel(tx, id, clock.now(), message);
        await record(tx, caller, namespace, 'cancel', id);
        afterCommit(tx, () => {
          changed(id);
          nudge();
        });
      }),

    setLabels: (caller: Caller, name: string, id: string, labels: Readonly<Record<string, string>>) =>
      changing(caller, name, id, (tx) => updateJob(tx, id, { labels: labelText(labels) })),

    expose: (caller: Caller, name: string, id: string, ports: readonly number[]) =>
      changing(caller, name, id, async () => {
        if (ports.length > 0) throw badRequest('Ports of jobs cannot be exposed on this hub');
      }),

    async checkAccess(caller: Caller, name: string, need: 'read' | 'write', id?: string) {
      const namespace = await requireJobNamespace(read, caller.principal, name, need);
      if (id !== undefined) await requireJob(read, caller, namespace, id);
      const { account } = namespace;
      const { userId, userName } = caller.principal;
      return { namespace: { id: account.id, name: account.name }, user: { id: userId, name: userName } };
    },
  };
}
