import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { forgetLeases } from '../../platform/queue/leases.ts';
import { defineTask, type StepOf, type Tasks } from '../../platform/queue/tasks.ts';
import { lockStreamById } from '../streams/store.ts';
import { pruneHistory } from '../subscriptions/history.ts';
import { deleteOldSecrets, hideWebhook, removeWebhook } from '../subscriptions/store.ts';
import { purgeLog, sweepDeliveries, sweepEvents, sweepReplays } from './batches.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Events first, so that one goes an hour after the last entry that needed it: an entry that is being sent again while it
 * goes, which nothing else prevents, still has its event.
 */
const SWEEPS = [sweepEvents, sweepDeliveries, sweepReplays];

const Reached = z.object({
  /** What is older than this id goes. */
  before: z.string(),
  /** Which of the sweeps it is at, and the id up to which that came: what stays is looked at once. */
  sweep: z.number(),
  after: z.string(),
});
export const pruneLogTask = defineTask('webhooks.retain', Reached.nullable());

const OfWebhook = z.object({ webhookId: z.string() });
export const purgeWebhookTask = defineTask('webhooks.purge', OfWebhook);
export const expireStreamTask = defineTask('webhooks.expire', OfWebhook);

/** Deletes what the log kept long enough: a batch a step, over the primary key, which is in the order of time. */
export const createPruneLog =
  ({ clock, days }: { clock: Clock; days: number }): StepOf<typeof pruneLogTask> =>
  async (tx, task) => {
    const begin = { before: firstIdAt(clock.now() - days * DAY_MS), sweep: 0, after: '' };
    const { before, sweep, after } = task.data ?? begin;
    const reached = await SWEEPS[sweep]?.(tx, after, before);
    if (reached !== undefined) return { data: { before, sweep, after: reached } };
    if (sweep + 1 < SWEEPS.length) return { data: { before, sweep: sweep + 1, after: '' } };
    if (await pruneHistory(tx, clock.now())) return { data: { before, sweep, after: '' } };
    await forgetLeases(tx, clock.now());
    await deleteOldSecrets(tx, clock.now());
    return 'done';
  };

/** What is left of a deleted webhook goes: its log, a batch a step, then the webhook itself. */
export const purgeWebhook: StepOf<typeof purgeWebhookTask> = async (tx, { data }) => {
  const { webhookId } = data;
  if (await purgeLog(tx, webhookId)) return { data };
  await removeWebhook(tx, webhookId);
  return 'done';
};

/** A stream that nobody has connected to for too long goes, with what it has not delivered, whoever kept it up before. */
export const createStreamExpiry =
  ({ clock, tasks }: { clock: Clock; tasks: Tasks }): StepOf<typeof expireStreamTask> =>
  async (tx, { data }) => {
    const { webhookId } = data;
    const stream = await lockStreamById(tx, webhookId);
    if (!stream) return 'done';
    const leftMs = (stream.stream_until ?? 0) - clock.now();
    if (leftMs > 0) return { data, afterMs: leftMs };
    await hideWebhook(tx, webhookId);
    await tasks.enqueue(tx, purgeWebhookTask, { webhookId });
    return 'done';
  };
