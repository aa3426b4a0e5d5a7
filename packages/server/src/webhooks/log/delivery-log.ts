import type { Delivery, DeliveryDetails, SampleEvent } from '@moonbase/contract/webhooks/webhooks';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { notFound } from '../../platform/http/errors.ts';
import { encodeCursor, idFromCursor } from '../../platform/http/pagination.ts';
import type { Ids } from '../../platform/ids.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { deliveryBody } from '../delivery/compose.ts';
import type { Deliver } from '../delivery/deliver.ts';
import { insertDeliveries, loadForSending } from '../delivery/delivery-store.ts';
import { UNSENT } from '../delivery/new-delivery.ts';
import { isRetried } from '../delivery/retry.ts';
import { plainHeaders } from '../delivery/signature.ts';
import { hoursOf } from '../figures/hours.ts';
import { laneOf } from '../matching/lane.ts';
import { draftSample, refuseUnknownEvent } from '../samples/sample-events.ts';
import { requireWebhook, webhookNotFound } from '../subscriptions/own-webhook.ts';
import type { DeliveryAttemptRow, DeliveryRow } from '../tables.ts';
import { attemptsOf, eventData, findLogEntry, type LogFilter, listLog } from './store.ts';

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly deliver: Deliver;
}

/** A delivery that a request sends is due this much later: the worker sends it only where the request's process died. */
const SENT_WITHIN_MS = 30_000;

type LogQuery = LogFilter & { readonly cursor?: string | undefined; readonly limit: number };

/** The log of a webhook's deliveries: lists, counts, single replays and samples. */
export function createDeliveryLog({ database, clock, ids, events, deliver }: Dependencies) {
  const { read } = database;

  async function entry(caller: Caller, webhookId: string, logId: string): Promise<DeliveryRow> {
    const row = await findLogEntry(read, { webhookId, reader: caller.principal }, logId);
    if (!row) throw notFound('There is no such entry in the log of this webhook');
    return row;
  }

  /** Inserts a delivery, sends it within this request, and returns the result. */
  async function sendNow(
    row: Omit<DeliveryRow, 'id' | 'due_at' | 'trigger_key' | 'created_at'>,
    prepare?: (tx: Executor) => Promise<string>,
  ) {
    const id = ids();
    await database.transaction(async (tx) => {
      const eventId = prepare ? await prepare(tx) : row.event_id;
      const now = clock.now();
      await insertDeliveries(tx, [
        {
          ...row,
          event_id: eventId,
          id,
          trigger_key: `${eventId}/${id}`,
          due_at: now + SENT_WITHIN_MS,
          created_at: now,
        },
      ]);
    });
    const [delivery] = await loadForSending(read, [id]);
    if (!delivery) throw webhookNotFound();
    const { result } = await deliver(delivery);
    return result.kind === 'answered' ? { id, status: result.status } : { id, status: 0, error: result.error };
  }

  return {
    async list(caller: Caller, webhookId: string, { cursor, limit, ...filter }: LogQuery) {
      const before = idFromCursor(cursor);
      await requireWebhook(read, caller, webhookId, 'read');
      const log = { webhookId, reader: caller.principal };
      const { rows, next } = await listLog(read, log, filter, { before, limit });
      return { items: rows.map(presentDelivery), next: next && encodeCursor(next) };
    },

    async count(caller: Caller, webhookId: string) {
      await requireWebhook(read, caller, webhookId, 'read');
      return { hours: await hoursOf(read, webhookId, clock.now()) };
    },

    async get(caller: Caller, webhookId: string, logId: string): Promise<DeliveryDetails> {
      await requireWebhook(read, caller, webhookId, 'read');
      const row = await entry(caller, webhookId, logId);
      const [attempts, data] = await Promise.all([attemptsOf(read, row.id), eventData(read, row.event_id)]);
      return {
        ...presentDelivery(row),
        payload: parseJson(deliveryBody(data, webhookId)),
        deliveryAttempts: attempts.map((attempt) => presentAttempt(attempt, row)),
      };
    },

    /** Sends the stored payload to the current target with the current secret, even where the webhook is disabled (E12). */
    async replay(caller: Caller, webhookId: string, logId: string) {
      const webhook = await requireWebhook(read, caller, webhookId, 'write');
      const original = await entry(caller, webhookId, logId);
      return sendNow({
        ...original,
        ...UNSENT,
        lane: laneOf(webhook),
        kind: 'replay',
        replay_of: original.id,
      });
    },

    /** Sends a sample event of a kind, about the given repository or else the first one that the webhook watches. */
    async test(caller: Caller, webhookId: string, event: SampleEvent) {
      refuseUnknownEvent(event);
      const webhook = await requireWebhook(read, caller, webhookId, 'write');
      const { row, record } = await draftSample(read, caller, { id: webhookId, lane: laneOf(webhook) }, event);
      return sendNow({ ...row, event_id: '' }, (tx) => record(tx, events));
    },
  };
}

const presentDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  createdAt: timestamp(row.created_at),
  event: { action: row.action, scope: row.scope },
  repo: { type: row.repo_type, name: row.repo_name },
  status: row.status === 'pending' && row.attempts > 0 ? 'retrying' : row.status,
  attempts: row.attempts,
  ...(row.status === 'pending' && isRetried(row.kind) && { nextAttemptAt: timestamp(row.due_at) }),
  ...(row.response_status !== null && { responseStatus: row.response_status }),
  ...(row.error !== null && { error: row.error }),
  ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
  ...(row.job_id !== null && { jobId: row.job_id }),
  ...(row.replay_of !== null && { replayOf: row.replay_of }),
  ...(row.kind === 'test' && { test: true as const }),
});

const presentAttempt = (
  row: DeliveryAttemptRow,
  { id, kind }: DeliveryRow,
): DeliveryDetails['deliveryAttempts'][number] => ({
  at: timestamp(row.created_at),
  url: row.url,
  // Connections and jobs get no request.
  ...(/^https?:/.test(row.url) && {
    requestHeaders: plainHeaders({ deliveryId: id, now: row.created_at, test: kind === 'test' }),
  }),
  ...(row.response_status !== null && { responseStatus: row.response_status }),
  ...(row.response_headers !== null && {
    responseHeaders: parseJson(row.response_headers),
  }),
  ...(row.response_body !== null && { responseBody: row.response_body }),
  ...(row.error !== null && { error: row.error }),
  ...(row.note !== null && { note: row.note }),
  durationMs: row.duration_ms,
});
