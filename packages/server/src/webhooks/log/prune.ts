import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { deleteEndedLeases } from '../../platform/queue/lease-store.ts';
import { defineTask, type StepOf, type Tasks } from '../../platform/queue/tasks.ts';
import { recordDeleted } from '../../platform/retention/deletion-store.ts';
import { pruneTallies } from '../figures/tally-store.ts';
import { lockStreamById } from '../streams/store.ts';
import { pruneHistory } from '../subscriptions/history.ts';
import { deleteOldSecrets, deleteWebhook, markDeleted } from '../subscriptions/store.ts';
import { purgeLog, sweepDeliveries, sweepEvents, sweepReplays } from './prune-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Events come first, so that an event is deleted by a later run than the last entry that needed it: an entry that is being
 * replayed while it is deleted still has its event.
 */
const SWEEPS = [
  { kind: 'events', sweep: sweepEvents },
  { kind: 'deliveries', sweep: sweepDeliveries },
  { kind: 'replays', sweep: sweepReplays },
];

const PruneProgress = z.object({
  /** Rows with a smaller id are deleted. */
  before: z.string(),
  /** The current sweep, and the last id that it considered. */
  sweep: z.number(),
  after: z.string(),
});
export const pruneLogTask = defineTask('webhooks.retain', PruneProgress.nullable());

const OfWebhook = z.object({ webhookId: z.string() });
export const purgeWebhookTask = defineTask('webhooks.purge', OfWebhook);
export const expireStreamTask = defineTask('webhooks.expire', OfWebhook);

/** Deletes old entries of all logs, a batch per step, by the primary key, which is in the order of time. */
export const createPruneLog =
  ({ clock, days }: { clock: Clock; days: number }): StepOf<typeof pruneLogTask> =>
  async (tx, task) => {
    const begin = { before: firstIdAt(clock.now() - days * DAY_MS), sweep: 0, after: '' };
    const { before, sweep, after } = task.data ?? begin;
    const current = SWEEPS[sweep];
    const swept = await current?.sweep(tx, after, before);
    if (current && swept) {
      await recordDeleted(tx, current.kind, swept.deleted, clock.now());
      return { data: { before, sweep, after: swept.reached } };
    }
    if (sweep + 1 < SWEEPS.length) return { data: { before, sweep: sweep + 1, after: '' } };
    if (await pruneHistory(tx, clock.now())) return { data: { before, sweep, after: '' } };
    if (await pruneTallies(tx, clock.now())) return { data: { before, sweep, after: '' } };
    await deleteEndedLeases(tx, clock.now());
    await deleteOldSecrets(tx, clock.now());
    return 'done';
  };

/** Deletes the log of a deleted webhook, a batch per step, and then the webhook. */
export const purgeWebhook: StepOf<typeof purgeWebhookTask> = async (tx, { data }) => {
  const { webhookId } = data;
  if (await purgeLog(tx, webhookId)) return { data };
  await deleteWebhook(tx, webhookId);
  return 'done';
};

/** Deletes a stream without a connection once it has expired, with its pending deliveries. */
export const createStreamExpiry =
  ({ clock, tasks }: { clock: Clock; tasks: Tasks }): StepOf<typeof expireStreamTask> =>
  async (tx, { data }) => {
    const { webhookId } = data;
    const stream = await lockStreamById(tx, webhookId);
    if (!stream) return 'done';
    const leftMs = (stream.stream_until ?? 0) - clock.now();
    if (leftMs > 0) return { data, afterMs: leftMs };
    await markDeleted(tx, webhookId);
    await tasks.enqueue(tx, purgeWebhookTask, { webhookId });
    return 'done';
  };
