import type { WatchedInput } from '@moonbase/contract/webhooks/webhooks';
import { nameKey } from '../../accounts/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { beginEpoch, oldestWaitingEpoch } from '../../platform/events/epoch-store.ts';
import { resolveNames } from '../../repositories/index.ts';
import type { WebhookRow } from '../tables.ts';
import {
  type CurrentItem,
  currentItems,
  deleteFormerItems,
  endItems,
  insertItems,
  insertVersions,
  insertWebhookRow,
  lockEnabled,
  restartEnabled,
} from './history-store.ts';
import { updateWebhook } from './store.ts';

/*
 * The history of webhooks: what each watched, its domains, and whether it was enabled, as of each event that still waits. An
 * event is matched with the webhooks as they were when it happened, however long it waited.
 */

/** A webhook without the epochs, which its insertion sets. */
export type NewWebhook = Omit<WebhookRow, 'since' | 'enabled_since'>;

/** A change of webhooks: all of it takes effect with one epoch, so that no event sees a part of it. */
export interface Change {
  readonly now: number;
  /** Returns the epoch of the change, which begins at the first call: a change without effect begins none. */
  readonly epoch: () => Promise<number>;
}

export function beginChange(tx: Executor, now: number): Change {
  let epoch: Promise<number> | undefined;
  return { now, epoch: () => (epoch ??= beginEpoch(tx)) };
}

/** Inserts a webhook, which earlier events do not match. */
export async function insertWebhook(tx: Executor, webhook: NewWebhook, { epoch }: Change): Promise<WebhookRow> {
  const since = await epoch();
  const row = { ...webhook, since, enabled_since: since };
  await insertWebhookRow(tx, row);
  return row;
}

/** Changes a webhook; earlier events still see its former state and domains. */
export async function changeWebhook(
  tx: Executor,
  before: WebhookRow,
  wanted: Partial<NewWebhook>,
  change: Change,
): Promise<void> {
  const { id, state, domains } = before;
  const after = { ...before, ...wanted };
  if (after.state === state && after.domains === domains) return updateWebhook(tx, id, wanted);
  const since = await change.epoch();
  await insertVersions(tx, { id }, since, change.now);
  const enabled = after.state === 'enabled' && state !== 'enabled';
  await updateWebhook(tx, id, { ...wanted, since, ...(enabled && { enabled_since: since }) });
}

/**
 * Prepares the webhooks of a user who is about to be disabled or enabled: a disabled user's webhooks match no events, but
 * earlier events still see their former states.
 */
export async function changeOwner(tx: Executor, ownerId: string, now: number): Promise<void> {
  if ((await lockEnabled(tx, ownerId)) === 0) return;
  const since = await beginEpoch(tx);
  await insertVersions(tx, { ownerId }, since, now);
  await restartEnabled(tx, ownerId, since);
}

/** Replaces what a webhook watches; each item is bound to the repository or account that has its name now. */
export async function replaceWatched(
  tx: Executor,
  webhookId: string,
  items: readonly WatchedInput[],
  change: Change,
): Promise<void> {
  const distinct = [...new Map(items.map((item) => [`${item.type}:${nameKey(item.name)}`, item])).values()];
  const targets = await resolveNames(tx, distinct);
  const after = distinct.map(
    ({ type, name }, position): CurrentItem => ({
      position,
      type,
      name,
      name_key: nameKey(name),
      target_id: targets[position] ?? null,
    }),
  );
  const before = await currentItems(tx, webhookId);
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const epoch = await change.epoch();
  if (before.length > 0) await endItems(tx, webhookId, epoch, change.now);
  await insertItems(tx, webhookId, after, epoch);
}

/** The longest time between recording an event and committing it, during which nobody sees that the event waits. */
const MAX_UNCOMMITTED_MS = 10 * 60 * 1000;

/** Deletes a batch of the history that no event needs any more; returns false when nothing is left. */
export async function pruneHistory(tx: Executor, now: number): Promise<boolean> {
  const oldest = (await oldestWaitingEpoch(tx)) ?? Number.MAX_SAFE_INTEGER;
  return deleteFormerItems(tx, oldest, now - MAX_UNCOMMITTED_MS);
}
