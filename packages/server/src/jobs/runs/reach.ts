import { isLimited } from '../../access/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { findRepo, requireSources, type Source, unreachedAmong } from '../../repositories/index.ts';
import type { JobRow } from '../tables.ts';
import { type StoredSpecification, specificationOf } from './specification.ts';
import { launchesOf } from './store.ts';

/*
 * What a job runs on comes out in its log, and its specification names it: a token that does not reach a repository reads
 * no job that mounts it, runs it or was triggered by it.
 */

/** What a specification mounts, and the Space that it runs: to read of it, or to let it run, which writes to buckets. */
export const sourcesOf = (
  { volumes = [], spaceId }: Partial<Pick<StoredSpecification, 'volumes' | 'spaceId'>>,
  need: 'read' | 'write',
) => [
  ...volumes.map(({ type, source, readOnly }) => ({
    type,
    name: source,
    written: need === 'write' && type === 'bucket' && readOnly !== true,
  })),
  ...(spaceId === undefined ? [] : [{ type: 'space' as const, name: spaceId }]),
];

type Launched = Pick<JobRow, 'specification' | 'sources' | 'trigger_environment'>;

/** What a specification names, bound to what the names stand for now. */
export async function boundSources(executor: Executor, specification: StoredSpecification): Promise<Source[]> {
  const bound: Source[] = [];
  for (const source of sourcesOf(specification, 'read')) {
    const [namespace = '', name = ''] = source.name.split('/');
    const repo = await findRepo(executor, { type: source.type, namespace, name });
    bound.push({ ...source, ...(repo && { targetId: repo.id, ownerId: repo.owner_id }) });
  }
  return bound;
}

/** What a job runs on, as it was when the job was launched; by name for a job from before that was kept. */
export function launchedOn(job: Launched): readonly Source[] {
  if (job.sources !== null) return JSON.parse(job.sources) as Source[];
  const trigger = JSON.parse(job.trigger_environment ?? '{}') as Record<string, string | undefined>;
  const { WEBHOOK_REPO_TYPE: type, WEBHOOK_REPO_ID: name } = trigger;
  return [...sourcesOf(specificationOf(job), 'read'), ...(type && name ? [{ type, name } as Source] : [])];
}

/** Of some jobs those whose everything the caller's token reaches. */
export async function reachedJobs<J extends Pick<JobRow, 'id'>>(
  executor: ReadExecutor,
  principal: Principal,
  jobs: readonly J[],
): Promise<J[]> {
  if (!isLimited(principal)) return [...jobs];
  const launches = await launchesOf(
    executor,
    jobs.map(({ id }) => id),
  );
  const sources = new Map(launches.map((launch) => [launch.id, launchedOn(launch)]));
  return reachedAmong(executor, principal, jobs, ({ id }) => sources.get(id) ?? []);
}

/** Of some scheduled jobs those whose everything the caller's token reaches, by the names that they mount at their times. */
export const reachedScheduledJobs = <J extends Scheduled>(
  executor: ReadExecutor,
  principal: Principal,
  jobs: readonly J[],
) => reachedAmong(executor, principal, jobs, (job) => sourcesOf(specificationOf(job), 'read'));

type Scheduled = Pick<JobRow, 'id' | 'specification'>;

async function reachedAmong<J extends Pick<JobRow, 'id'>>(
  executor: ReadExecutor,
  principal: Principal,
  jobs: readonly J[],
  sourcesOfJob: (job: J) => readonly Source[],
): Promise<J[]> {
  if (!isLimited(principal)) return [...jobs];
  const sources = jobs.flatMap((job) => sourcesOfJob(job).map((source) => ({ ...source, jobId: job.id })));
  const unreached = await unreachedAmong(executor, principal, sources);
  const closed = new Set(unreached.map(({ source }) => source.jobId));
  return jobs.filter(({ id }) => !closed.has(id));
}

/** 403 where the caller's token does not reach something that a job runs on. */
export async function requireReachedJob(executor: ReadExecutor, principal: Principal, id: string): Promise<void> {
  if (!isLimited(principal)) return;
  const [launch] = await launchesOf(executor, [id]);
  if (launch) await requireSources(executor, principal, launchedOn(launch));
}

/** The same of a scheduled job, to read it or to let it run. */
export const requireReachedScheduledJob = (
  executor: ReadExecutor,
  principal: Principal,
  job: Scheduled,
  need: 'read' | 'write' = 'read',
): Promise<void> => requireSources(executor, principal, sourcesOf(specificationOf(job), need));
