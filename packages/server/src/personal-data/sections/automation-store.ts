import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Page } from '../section.ts';

/** Returns the jobs that a user or a webhook of the user started, in any namespace. */
export const jobsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
  executor
    .selectFrom('jobs')
    .leftJoin('accounts as owners', 'owners.id', 'jobs.owner_id')
    .select(['jobs.id', 'jobs.created_at', 'jobs.started_at', 'jobs.finished_at', 'jobs.stage'])
    .select(['jobs.specification', 'jobs.labels', 'owners.name as owner'])
    .where('jobs.created_by', '=', userId)
    .where('jobs.id', '>', after?.id ?? '')
    .orderBy('jobs.id')
    .limit(limit)
    .execute();

/** Returns the scheduled jobs that a user created, in any namespace. */
export const scheduledJobsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
  executor
    .selectFrom('scheduled_jobs')
    .leftJoin('accounts as owners', 'owners.id', 'scheduled_jobs.owner_id')
    .select(['scheduled_jobs.id', 'scheduled_jobs.created_at', 'scheduled_jobs.schedule'])
    .select(['scheduled_jobs.suspended', 'scheduled_jobs.specification', 'scheduled_jobs.labels'])
    .select('owners.name as owner')
    .where('scheduled_jobs.created_by', '=', userId)
    .where('scheduled_jobs.id', '>', after?.id ?? '')
    .orderBy('scheduled_jobs.id')
    .limit(limit)
    .execute();
