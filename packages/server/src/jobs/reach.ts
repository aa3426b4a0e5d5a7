import { isLimited, requireSources, type Source, unreachedAmong } from '../access/index.ts';
import type { JobRow } from '../platform/database/tables.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { type StoredSpecification, specificationOf } from './specification.ts';
import { triggersOf } from './store.ts';

/*
 * What a job runs on comes out in its log, and its specification names it: a token that does not reach a repository reads
 * no job that mounts it, runs it or was triggered by it.
 */

/** What a specification mounts, and the Space that it runs: to read of it, or to let it run, which writes to buckets. */
export const sourcesOf = (
  { volumes = [], spaceId }: Partial<Pick<StoredSpecification, 'volumes' | 'spaceId'>>,
  need: 'read' | 'write',
) => [
  ...volumes.map(
    ({ type, source, readOnly }): Source => ({
      type,
      name: source,
      written: need === 'write' && type === 'bucket' && readOnly !== true,
    }),
  ),
  ...(spaceId === undefined ? [] : [{ type: 'space', name: spaceId } satisfies Source]),
];

type Mounting = Pick<JobRow, 'id' | 'specification'>;

/** Of some jobs those whose everything the caller's token reaches; `triggered`: some may have been launched by events. */
export async function reachedJobs<J extends Mounting>(
  executor: Executor,
  principal: Principal,
  jobs: readonly J[],
  triggered: boolean,
): Promise<J[]> {
  if (!isLimited(principal)) return [...jobs];
  const mounted = jobs.flatMap((job) =>
    sourcesOf(specificationOf(job), 'read').map((source) => ({ ...source, jobId: job.id })),
  );
  const triggers = triggered
    ? await triggersOf(
        executor,
        jobs.map(({ id }) => id),
      )
    : [];
  const unreached = await unreachedAmong(executor, principal, [...mounted, ...triggers]);
  const closed = new Set(unreached.map(({ source }) => source.jobId));
  return jobs.filter(({ id }) => !closed.has(id));
}

/** 403 where the caller's token does not reach something that a job is about. */
export async function requireReachedJob(
  executor: Executor,
  principal: Principal,
  job: Mounting,
  triggered: boolean,
  need: 'read' | 'write' = 'read',
): Promise<void> {
  if (!isLimited(principal)) return;
  const triggers = triggered ? await triggersOf(executor, [job.id]) : [];
  await requireSources(executor, principal, [...sourcesOf(specificationOf(job), need), ...triggers]);
}
