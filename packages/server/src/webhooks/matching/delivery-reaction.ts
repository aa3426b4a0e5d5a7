import type { Clock } from '../../platform/clock.ts';
import { afterCommit, createCollector, type Executor } from '../../platform/database/transaction.ts';
import type { HubEvent } from '../../platform/events/events.ts';
import type { Reaction } from '../../platform/events/reaction.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import { insertDeliveries, type Sendable } from '../delivery/delivery-store.ts';
import { repositoryColumns, UNSENT } from '../delivery/new-delivery.ts';
import type { ReadDelivery } from '../delivery/prefetch-buffer.ts';
import type { Tallies } from '../figures/tallies.ts';
import type { DeliveryRow } from '../tables.ts';
import type { Candidate } from './candidate-store.ts';
import { isStreamTarget, laneOf } from './lane.ts';
import type { LastTriggers } from './last-triggers.ts';
import { matchingWebhooks, readCandidatesAhead } from './matching.ts';
import { countTriggers } from './trigger-store.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  /** The triggers that a webhook may have in any 24 hours; undefined where there is no limit. */
  readonly dailyLimit: number | undefined;
  readonly lastTriggers: LastTriggers;
  readonly tallies: Tallies;
  /** Wakes the delivery worker, and tells it of lanes that have new deliveries, and of those that can be sent at once. */
  readonly nudge: (lanes: readonly string[], sendable: readonly ReadDelivery[]) => void;
  /** Wakes the connections of streams that have a new delivery. */
  readonly streams: Signals;
}

const PAGE = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the reaction that inserts one delivery for each webhook that was enabled and watched the repository when the event
 * happened, and whose owner may read the repository now. The delivery fails at once where the webhook was disabled or suspended
 * since, or its owner disabled.
 */
export function createDeliveryReaction({
  clock,
  ids,
  dailyLimit,
  lastTriggers,
  tallies,
  nudge,
  streams,
}: Dependencies): Reaction<RepoEvent> {
  const page = { limit: PAGE, clock };
  const react: Reaction<RepoEvent> = async (tx, event, after = '') => {
    const { webhooks, next, readAt } = await matchingWebhooks(tx, event, after, page);
    if (webhooks.length === 0) return next;
    const webhookIds = webhooks.map((webhook) => webhook.id);
    const throttled = await webhooksOverLimit(tx, webhookIds, dailyLimit, clock.now());
    const delivery = deliveryOf(event);
    const made = webhooks.map((webhook) => ({
      webhook,
      row: {
        ...delivery,
        id: ids(),
        webhook_id: webhook.id,
        lane: laneOf(webhook),
        due_at: clock.now(),
        ...(webhook.stopped && { status: 'failed' as const, error: STOPPED }),
        ...(throttled.has(webhook.id) && { status: 'throttled' as const, error: THROTTLED }),
      },
    }));
    deliveries.add(
      tx,
      made.map(({ row }) => row),
    );
    const triggered = webhooks.filter(({ id }) => !throttled.has(id));
    lastTriggers.add(tx, triggered, event.createdAt);
    if (throttled.size > 0) tallies.addThrottled(tx, [...throttled], clock.now());
    const concerned = webhooks.filter(({ url }) => isStreamTarget(url)).map(({ id }) => id);
    if (concerned.length > 0) afterCommit(tx, () => streams.send(concerned));
    const pending = made.filter(({ row }) => row.status === 'pending' && !isStreamTarget(row.lane));
    if (pending.length > 0) {
      const lanes = new Set(pending.map(({ row }) => row.lane));
      const sendable = pending.filter(({ webhook }) => webhook.unchanged);
      afterCommit(tx, () =>
        nudge(
          [...lanes],
          sendable.map(({ webhook, row }) => ({ delivery: sendableOf(event, webhook, row), since: readAt })),
        ),
      );
    }
    return next;
  };
  return Object.assign(react, {
    readAhead: (tx: Executor, topic: string, events: readonly HubEvent<RepoEvent>[]) =>
      readCandidatesAhead(tx, topic, events, page),
  });
}

/** The deliveries of all events of one transaction are inserted together. */
const deliveries = createCollector(insertDeliveries);

const THROTTLED = 'Above the number of triggers a day; not sent, can be replayed';

const STOPPED =
  'The webhook was disabled or suspended, or its owner disabled, before this was sent; replay this delivery when it is wanted';

const deliveryOf = ({ id, createdAt, data: { scope, action, repo } }: HubEvent<RepoEvent>) => ({
  ...UNSENT,
  ...repositoryColumns(repo),
  event_id: id,
  trigger_key: id,
  created_at: createdAt,
  kind: 'trigger' as const,
  scope,
  action,
});

/** Returns a delivery as it is read for sending, where its webhook matches and its repository is as it was in the event. */
const sendableOf = (
  event: HubEvent<RepoEvent>,
  webhook: Candidate,
  row: Pick<DeliveryRow, 'id' | 'lane' | 'due_at'>,
): Sendable => ({
  id: row.id,
  lane: row.lane,
  eventId: event.id,
  webhookId: webhook.id,
  kind: 'trigger',
  attempts: UNSENT.attempts,
  dueAt: row.due_at,
  url: webhook.url,
  job: webhook.job,
  jobSecrets: webhook.jobSecrets,
  jobTokenId: webhook.jobTokenId,
  ownerId: webhook.ownerId,
  state: webhook.state,
  secret: webhook.secret,
  oldSecret: webhook.oldSecret,
  oldSecretUntil: webhook.oldSecretUntil,
  eventData: event.text,
  trace: event.trace,
  readable: true,
  ownerEnabled: true,
});

/** Returns the webhooks that reached their limit of triggers in the last 24 hours. */
async function webhooksOverLimit(
  tx: Executor,
  webhookIds: readonly string[],
  limit: number | undefined,
  now: number,
): Promise<Set<string>> {
  if (limit === undefined) return new Set();
  const triggers = await countTriggers(tx, webhookIds, now - DAY_MS);
  for (const { webhook_id: id, status } of deliveries.of(tx))
    if (status !== 'throttled') triggers.set(id, (triggers.get(id) ?? 0) + 1);
  return new Set(webhookIds.filter((id) => (triggers.get(id) ?? 0) >= limit));
}
