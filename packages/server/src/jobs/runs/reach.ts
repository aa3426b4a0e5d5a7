import { isLimited } from '../../access/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { findRepo, findUnreachableSources, requireReachableSources, type Source } from '../../repositories/index.ts';
import type { JobRow } from '../tables.ts';
import { type StoredSpecification, specificationOf } from './specification.ts';
import { launchesOf } from './store.ts';

/*
 * The log of a job can show its repositories, and its specification names them: a token that does not reach a repository
 * reads no job that mounts, runs or was triggered by that repository.
 */

/**
 * Returns the repositories that a specification mounts, and the Space that it runs. `need`: whether to read the job, or
 * to run it, which writes to its buckets.
 */
export const sourcesOf = (
  { volumes = [], spaceId }: Partial<Pick<StoredSpecification, 'volumes' | 'spaceId'>>,
  need: 'read' | 'write',
) => [
  ...volumes.map(({ type, source, readOnly }) => ({
    type,
    name: source,
    files: true,
    written: need === 'write' && type === 'bucket' && readOnly !== true,
  })),
  ...(spaceId === undefined ? [] : [{ type: 'space' as const, name: spaceId, files: true }]),
];

type LaunchedJob = Pick<JobRow, 'specification' | 'sources' | 'trigger_environment'>;

/** Returns the repositories that a specification names, each with the current id of its name. */
export async function boundSources(executor: Executor, specification: StoredSpecification): Promise<Source[]> {
  const bound: Source[] = [];
  for (const source of sourcesOf(specification, 'read')) {
    const [namespace = '', name = ''] = source.name.split('/');
    const repo = await findRepo(executor, { type: source.type, namespace, name });
    bound.push({ ...source, ...(repo && { targetId: repo.id, ownerId: repo.owner_id }) });
  }
  return bound;
}

/** Returns the repositories that a job runs on, as of its launch; by name alone if the job stores no sources. */
export function launchedOn(job: LaunchedJob): readonly Source[] {
  if (job.sources !== null) return parseJson(job.sources);
  const named = sourcesOf(specificationOf(job), 'read');
  if (job.trigger_environment === null) return named;
  const { WEBHOOK_REPO_TYPE: type, WEBHOOK_REPO_ID: name } = parseJson(job.trigger_environment);
  return [...named, { type, name }];
}

/** Returns those of the jobs whose repositories the caller's token reaches. */
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

/**
 * Returns those of the scheduled jobs whose repositories, by the names in the specification, the caller's token
 * reaches.
 */
export const reachedScheduledJobs = <J extends ScheduledRow>(
  executor: ReadExecutor,
  principal: Principal,
  jobs: readonly J[],
) => reachedAmong(executor, principal, jobs, (job) => sourcesOf(specificationOf(job), 'read'));

type ScheduledRow = Pick<JobRow, 'id' | 'specification'>;

async function reachedAmong<J extends Pick<JobRow, 'id'>>(
  executor: ReadExecutor,
  principal: Principal,
  jobs: readonly J[],
  sourcesOfJob: (job: J) => readonly Source[],
): Promise<J[]> {
  if (!isLimited(principal)) return [...jobs];
  const sources = jobs.flatMap((job) => sourcesOfJob(job).map((source) => ({ ...source, jobId: job.id })));
  const unreached = await findUnreachableSources(executor, principal, sources);
  const closed = new Set(unreached.map(({ source }) => source.jobId));
  return jobs.filter(({ id }) => !closed.has(id));
}

/** Throws 403 if the caller's token does not reach all repositories of a job. */
export async function requireReachedJob(executor: ReadExecutor, principal: Principal, id: string): Promise<void> {
  if (!isLimited(principal)) return;
  const [launch] = await launchesOf(executor, [id]);
  if (launch) await requireReachableSources(executor, principal, launchedOn(launch));
}

/** Like `requireReachedJob`, for a scheduled job. `need`: whether to read or to run it. */
export const requireReachedScheduledJob = (
  executor: ReadExecutor,
  principal: Principal,
  job: ScheduledRow,
  need: 'read' | 'write' = 'read',
): Promise<void> => requireReachableSources(executor, principal, sourcesOf(specificationOf(job), need));
