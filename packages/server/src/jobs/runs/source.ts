import { jobRole, tokenReachesJobs } from '../../access/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { JobRow } from '../tables.ts';
import { requireReachedJob } from './reach.ts';
import { labelsOf, type StoredSpecification, specificationOf } from './specification.ts';
import { findJob } from './store.ts';

/** The parts of a job that a webhook copies. */
export interface JobSource {
  readonly specification: StoredSpecification;
  readonly labels: Readonly<Record<string, string>>;
  /** Sealed; null for everybody except the creator of the job. */
  readonly secrets: string | null;
}

const sourceNotFound = () => notFound('There is no job with this id that you may read');

async function mayRead(executor: Executor, principal: Principal, job: JobRow): Promise<boolean> {
  return (
    tokenReachesJobs(principal, job.owner_id, 'read') &&
    (await jobRole(executor, principal.userId, job.owner_id)) !== undefined
  );
}

/** Returns a job to copy. Throws 404 if the caller may not read the job. */
export async function requireJobSource(executor: Executor, principal: Principal, id: string): Promise<JobSource> {
  const job = await findJob(executor, id);
  if (!job || !(await mayRead(executor, principal, job))) throw sourceNotFound();
  await requireReachedJob(executor, principal, job.id);
  const own = job.created_by === principal.userId;
  const specification = specificationOf(job);
  return {
    specification: { ...specification, secretNames: own ? specification.secretNames : [] },
    labels: labelsOf(job.labels),
    secrets: own ? job.secrets : null,
  };
}
