import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import type { Ids } from '../../platform/ids.ts';
import { defineTask, type StepOf } from '../../platform/queue/tasks.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { insertDeliveries } from '../delivery/delivery-store.ts';
import { UNSENT } from '../delivery/new-delivery.ts';
import { laneOf } from '../matching/lane.ts';
import { lockWebhookById } from '../subscriptions/store.ts';
import type { DeliveryRow, WebhookReplayRow, WebhookRow } from '../tables.ts';
import {
  cancelRunning,
  countRecovering,
  findReplay,
  matchesOf,
  nextWindow,
  type Search,
  updateReplay,
} from './store.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly nudge: () => void;
}

export const replayTask = defineTask(
  'webhooks.replay',
  z.object({
    webhookId: z.string(),
    replayId: z.string(),
    /** How many steps in a row found no room in the queue. */
    waits: z.number(),
  }),
);

/**
 * The deliveries of replays that a webhook may have in the queue, which is served in the order of due times: a new delivery waits
 * for no more than these, however long the replay is.
 */
const MAX_IN_QUEUE = 100;
const PACE_MS = 100;
const MAX_WAIT_MS = 10_000;

/** Returns the step that queues the next entries of a replay, as many as there is room for, and notes how far it got. */
export function createReplayStep({ clock, ids, nudge }: Dependencies): StepOf<typeof replayTask> {
  const recoveryOf = (entry: DeliveryRow, webhook: WebhookRow, replay: WebhookReplayRow): DeliveryRow => ({
    ...entry,
    ...UNSENT,
    id: ids(),
    trigger_key: `${entry.event_id}/${replay.id}/${entry.id}`,
    created_at: clock.now(),
    due_at: clock.now(),
    lane: laneOf(webhook),
    kind: 'recovery',
    replay_of: entry.id,
  });

  return async (tx, task) => {
    const { webhookId, replayId, waits } = task.data;
    // The lock on the webhook protects its replays as well.
    const webhook = await lockWebhookById(tx, webhookId);
    const replay = await findReplay(tx, webhookId, replayId);
    if (!webhook || replay?.state !== 'running') return 'done';
    if (webhook.state !== 'enabled') {
      await cancelRunning(tx, webhookId);
      return 'done';
    }
    const room = MAX_IN_QUEUE - (await countRecovering(tx, webhookId));
    if (room <= 0)
      return {
        data: { webhookId, replayId, waits: waits + 1 },
        afterMs: Math.min(PACE_MS * 2 ** waits, MAX_WAIT_MS),
      };
    const search = searchOf(replay, webhook);
    const window = await nextWindow(tx, search, replay.cursor);
    const entries = await matchesOf(tx, search, window, replay, room);
    await insertDeliveries(
      tx,
      entries.map((entry) => recoveryOf(entry, webhook, replay)),
    );
    if (entries.length > 0) afterCommit(tx, nudge);
    const cursor = entries.length < room ? window.upTo : (entries.at(-1)?.id ?? window.upTo);
    const done = cursor >= replay.bound;
    await updateReplay(tx, replayId, {
      cursor,
      replayed: replay.replayed + entries.length,
      state: done ? 'done' : 'running',
    });
    if (done) return 'done';
    return { data: { webhookId, replayId, waits: 0 }, afterMs: entries.length > 0 ? PACE_MS : 0 };
  };
}

/** Returns the search of a replay, with the rights of the webhook's owner or of the token that requested the replay. */
function searchOf(replay: WebhookReplayRow, webhook: WebhookRow): Search {
  const { token = { role: 'write' }, ...filter } = parseJson(replay.filter);
  return { webhookId: webhook.id, reader: { userId: webhook.owner_id, token }, filter, bound: replay.bound };
}
