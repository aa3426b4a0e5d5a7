import type { JobInfo, JobStage } from '@moonbase/contract/jobs/jobs';
import { type JobNamespace, requireJobNamespace } from '../../access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { notFound } from '../../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../../platform/http/pagination.ts';
import type { JobRow } from '../tables.ts';
import { HARDWARE } from './hardware.ts';
import { presentJob } from './present.ts';
import { reachedJobs, requireReachedJob } from './reach.ts';
import { countJobs, findJob, findShownJob, type JobFilter, listJobs } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

interface ListQuery extends JobFilter {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export const jobNotFound = () => notFound('There is no such job here');

/** Returns a job of a namespace. Throws 404 for other jobs, and 403 if the caller's token may not read the job. */
export async function requireJob(
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

/** The verbs that read jobs. Each throws if the caller may not read in the namespace. */
export function createJobReads({ database: { read }, clock }: Dependencies) {
  return {
    hardware: () => [...HARDWARE],

    async list(caller: Caller, name: string, { cursor, limit, ...filter }: ListQuery) {
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

    async get(caller: Caller, name: string, id: string): Promise<JobInfo> {
      const namespace = await requireJobNamespace(read, caller.principal, name, 'read');
      const job = await findShownJob(read, namespace.account.id, id);
      if (!job) throw jobNotFound();
      await requireReachedJob(read, caller.principal, job.id);
      return presentJob(caller.baseUrl, namespace.account, job, clock.now());
    },

    /** Returns the row of a job whose streams the caller may read. */
    async require(caller: Caller, name: string, id: string): Promise<JobRow> {
      return requireJob(read, caller, await requireJobNamespace(read, caller.principal, name, 'read'), id);
    },

    async checkAccess(caller: Caller, name: string, need: 'read' | 'write', id?: string) {
      const namespace = await requireJobNamespace(read, caller.principal, name, need);
      if (id !== undefined) await requireJob(read, caller, namespace, id);
      const { account } = namespace;
      const { userId, userName } = caller.principal;
      return { namespace: { id: account.id, name: account.name }, user: { id: userId, name: userName } };
    },
  };
}
