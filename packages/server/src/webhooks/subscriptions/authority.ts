import { isLimited, requirePermission, tokenCovers } from '../../access/index.ts';
import { standingOf } from '../../accounts/index.ts';
import { sourcesOf } from '../../jobs/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { oldestWaitingEpoch } from '../../platform/events/epoch-store.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { findUnreachableSources, insufficientTokenReach, requireReachableSources } from '../../repositories/index.ts';
import { hasUnreadable } from '../delivery/delivery-store.ts';
import { findRunning } from '../replays/store.ts';
import type { WebhookRow } from '../tables.ts';
import { formerSources, type ShownWebhook, watchedSources } from './store.ts';

/*
 * A token may do with a webhook what it may do with everything that the webhook reveals: what it watches, and what its job mounts
 * and runs. A token that reaches all that its user does is checked for jobs only, which costs no query.
 */

const hasJob = (webhook: Pick<WebhookRow, 'job' | 'job_source_id'>): boolean =>
  webhook.job !== null || webhook.job_source_id !== null;

/** Returns the column of the access token with which the job of a webhook, if it has one, is launched from now on. */
export const jobToken = (
  webhook: Pick<WebhookRow, 'job' | 'job_source_id'>,
  principal: Principal,
): Partial<Pick<WebhookRow, 'job_token_id'>> =>
  hasJob(webhook) ? { job_token_id: standingOf(principal).tokenId } : {};

/** Returns what the job of a webhook mounts, and the Space that it runs. */
export const jobSources = ({ job }: Pick<ShownWebhook, 'job'>, need: 'read' | 'write') =>
  sourcesOf(job === null ? {} : parseJson(job), need);

/** Throws 403 where the principal's token does not reach what a webhook watches, or lacks the permission for its job. */
export async function requireReached(
  executor: ReadExecutor,
  principal: Principal,
  webhook: WebhookRow,
  need: 'read' | 'write',
): Promise<void> {
  if (hasJob(webhook)) requirePermission(principal, `job.${need}`, [webhook.owner_id]);
  if (!isLimited(principal)) return;
  await requireReachableSources(executor, principal, [
    ...(await watchedSources(executor, [webhook.id])),
    ...jobSources(webhook, need),
  ]);
}

/** Returns which webhooks of the caller the token reaches: all that they watch, mount and run. */
export async function filterReached<W extends Pick<ShownWebhook, 'id' | 'job' | 'job_source_id'>>(
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
  const unreached = await findUnreachableSources(executor, principal, [...watched, ...mounted]);
  const closed = new Set(unreached.map(({ source }) => source.webhookId));
  return open.filter(({ id }) => !closed.has(id));
}

const mayRead = (principal: Principal): boolean => tokenCovers(principal.token, 'job.read', [principal.userId]);

/**
 * Throws 403 where a webhook that gets another target has deliveries ahead, or events that wait, about repositories that the
 * caller's token does not read: the new target would receive them.
 */
export async function requireNothingBeyond(tx: Executor, principal: Principal, webhook: WebhookRow): Promise<void> {
  if (!isLimited(principal)) return;
  if ((await hasUnreadable(tx, webhook.id, principal)) || (await findRunning(tx, webhook.id)))
    throw insufficientTokenReach();
  // Events that wait are matched with what the webhook watched when they happened.
  const epoch = await oldestWaitingEpoch(tx);
  if (epoch !== undefined) await requireReachableSources(tx, principal, await formerSources(tx, [webhook.id], epoch));
}
