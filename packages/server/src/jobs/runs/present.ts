import type { JobInfo, ShownSpecification } from '@moonbase/contract/jobs/jobs';
import type { ScheduledJob } from '@moonbase/contract/jobs/schedules';
import { type Account, avatarUrl } from '../../accounts/index.ts';
import { timestamp } from '../../platform/clock.ts';
import type { ShownScheduledJob } from '../schedules/store.ts';
import type { JobRow } from '../tables.ts';
import { labelsOf, specificationOf } from './specification.ts';
import type { ShownJob } from './store.ts';

const presentAccount = (baseUrl: string, account: Pick<Account, 'id' | 'name' | 'kind' | 'avatar_url'>) => ({
  id: account.id,
  name: account.name,
  type: account.kind,
  avatarUrl: avatarUrl(baseUrl, account),
});

type Creator = Pick<ShownJob, 'created_by' | 'creatorName' | 'creatorAvatar'>;

const presentCreator = (baseUrl: string, { created_by, creatorName, creatorAvatar }: Creator) =>
  presentAccount(baseUrl, { id: created_by, name: creatorName, kind: 'user', avatar_url: creatorAvatar });

/** Presents the specification of a job: of secrets only their names. */
export function presentSpecification(row: Pick<JobRow, 'specification' | 'labels'>): ShownSpecification {
  const { timeoutSeconds, attempts, secretNames, ...specification } = specificationOf(row);
  const labels = labelsOf(row.labels);
  return {
    ...specification,
    retry: attempts - 1,
    ...(timeoutSeconds != null && { timeout: timeoutSeconds }),
    ...(secretNames.length > 0 && { secrets: [...secretNames] }),
    ...(Object.keys(labels).length > 0 && { labels }),
  };
}

const seconds = (from: number, to: number): number => Math.max(0, Math.round((to - from) / 1000));

/** Returns a job for the API (W§5). The durations of an unfinished job extend to the present. */
export function presentJob(baseUrl: string, owner: Account, job: ShownJob, now: number): JobInfo {
  const end = job.finished_at ?? now;
  const { initiator_type: type, initiator_id: id } = job;
  return {
    type: 'job',
    id: job.id,
    createdAt: timestamp(job.created_at),
    ...(job.started_at !== null && { startedAt: timestamp(job.started_at) }),
    ...(job.finished_at !== null && { finishedAt: timestamp(job.finished_at) }),
    durations: {
      ...(job.started_at !== null && {
        schedulingSecs: seconds(job.created_at, job.started_at),
        runningSecs: seconds(job.started_at, end),
      }),
      totalSecs: seconds(job.created_at, end),
    },
    createdBy: { id: job.created_by, name: job.creatorName },
    owner: presentAccount(baseUrl, owner),
    initiator: type === 'user' || type === 'org' ? presentCreator(baseUrl, job) : { type, id },
    status: { stage: job.stage, message: job.message, failureCount: job.failures },
    ...presentSpecification(job),
  };
}

/** Returns a scheduled job for the API. The next run of a suspended one is the one that it would have. */
export const presentScheduledJob = (
  baseUrl: string,
  owner: Account,
  job: ShownScheduledJob,
  nextRunAt: number,
): ScheduledJob => ({
  type: 'scheduled-job',
  id: job.id,
  createdAt: timestamp(job.created_at),
  schedule: job.schedule,
  suspend: job.suspended === 1,
  concurrency: job.concurrency === 1,
  status: {
    lastJob:
      job.last_job_id !== null && job.last_job_at !== null
        ? { id: job.last_job_id, at: timestamp(job.last_job_at) }
        : null,
    nextJobRunAt: timestamp(nextRunAt),
  },
  owner: presentAccount(baseUrl, owner),
  initiator: presentCreator(baseUrl, job),
  jobSpec: presentSpecification(job),
});
