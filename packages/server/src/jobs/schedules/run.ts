import type { SealedAt } from '../../platform/secrets.ts';
import type { Launching } from '../execution/launch.ts';
import { specificationOf } from '../runs/specification.ts';
import type { ScheduledJobRow } from '../tables.ts';

/** Returns the location to which the secrets of a scheduled job are sealed. */
export const scheduledSecretsAt = (id: string): SealedAt => ({ table: 'scheduled_jobs', column: 'secrets', id });

/** Returns the secrets of a scheduled job; undefined if they cannot be read. */
export const scheduledSecrets = (launching: Launching, { id, secrets }: ScheduledJobRow) =>
  launching.secretsOf(secrets, scheduledSecretsAt(id));

/** Returns a new run of a scheduled job, on behalf of its creator. */
export const runOf = (job: ScheduledJobRow, secrets: Readonly<Record<string, string>>) => ({
  ownerId: job.owner_id,
  creator: { id: job.created_by, name: job.created_by_name, tokenId: job.token_id },
  initiator: { type: 'scheduled-job' as const, id: job.id },
  specification: specificationOf(job),
  labels: job.labels,
  secrets,
});
