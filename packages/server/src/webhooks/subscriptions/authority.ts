import { sql } from 'kysely';
import { isLimited, readableBy, requirePermission, tokenCovers } from '../../access/index.ts';
import { sourcesOf } from '../../jobs/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { oldestWaitingEpoch } from '../../platform/events/epoch.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { notReached, requireSources, unreachedAmong } from '../../repositories/index.ts';
import { currentRepo } from '../delivery/delivery-store.ts';
import { findRunning } from '../replays/store.ts';
import type { WebhookRow } from '../tables.ts';
import { formerSources, type ShownWebhook, type StoredJob, watchedSources } from './store.ts';

/*
 * What a token may do with a webhook goes with what the webhook brings: what it watches, and what its job mounts and runs.
 * A token that reaches all that its user does is asked about jobs only, which costs no query.
 */

const jobOf = ({ job }: Pick<ShownWebhook, 'job'>) => (job === null ? undefined : (JSON.parse(job) as StoredJob));

const hasJob = (webhook: Pick<WebhookRow, 'job' | 'job_source_id'>): boolean =>
  webhook.job !== null || webhook.job_source_id !== null;

/** What a webhook's job mounts, and the Space that it runs. */
export const jobSources = (webhook: Pick<ShownWebhook, 'job'>, need: 'read' | 'write') =>
  sourcesOf(jobOf(webhook) ?? {}, need);

/** 403 where the caller's token does not reach what a webhook watches, or may not do to its job what is needed. */
export async function requireReached(
  executor: ReadExecutor,
  principal: Principal,
  webhook: WebhookRow,
  need: 'read' | 'write',
): Promise<void> {
  if (hasJob(webhook)) requirePermission(principal, `job.${need}`, [webhook.owner_id]);
  if (!isLimited(principal)) return;
  await requireSources(executor, principal, [
    ...(await watchedSources(executor, [webhook.id])),
    ...jobSources(webhook, need),
  ]);
}

/** Of some webhooks of the caller those whose everything the caller's token reaches. */
export async function reachedAmong<W extends Pick<ShownWebhook, 'id' | 'job' | 'job_source_id'>>(
  executor: ReadExecutor,
  principal: Principal,
  webhooks: readonly W[],
): Promise<W[]> {
  const mayReadJobs = mayRead(principal);
  const open = webhooks.filter((webhook) => mayReadJobs || !hasJob(webhook));
  if (!isLimited(principal) || open.length === 0) return open;
  const watched = await watchedSources(
    executor,
    open.map(({ id }) => id),
  );
  const mounted = open.flatMap((webhook) =>
    jobSources(webhook, 'read').map((source) => ({ ...source, webhookId: webhook.id })),
  );
  const unreached = await unreachedAmong(executor, principal, [...watched, ...mounted]);
  const closed = new Set(unreached.map(({ source }) => source.webhookId));
  return open.filter(({ id }) => !closed.has(id));
}

const mayRead = (principal: Principal): boolean => tokenCovers(principal.token, 'job.read', [principal.userId]);

/**
 * 403 where a webhook that gets another target has something on its way that the caller's token does not read: it would
 * go to the new one.
 */
export async function requireNothingBeyond(tx: Executor, principal: Principal, webhook: WebhookRow): Promise<void> {
  if (!isLimited(principal)) return;
  const beyond = await tx
    .selectFrom('deliveries')
    .leftJoin('repositories', 'repositories.id', 'deliveries.repo_id')
    .select('deliveries.id')
    .where('deliveries.webhook_id', '=', webhook.id)
    .where(sql<boolean>`deliveries.status = 'pending'`)
    // Not `not`: in no resource group, the answer may be null.
    .where(sql<boolean>`case when ${readableBy(currentRepo, principal)} then 0 else 1 end = 1`)
    .limit(1)
    .executeTakeFirst();
  if (beyond || (await findRunning(tx, webhook.id))) throw notReached();
  // What was watched before still holds for events that wait.
  const epoch = await oldestWaitingEpoch(tx);
  if (epoch !== undefined) await requireSources(tx, principal, await formerSources(tx, [webhook.id], epoch));
}
