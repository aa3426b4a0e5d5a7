import { setImmediate } from 'node:timers/promises';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import { laneOf } from '../matching/lane.ts';
import { lockWebhookById } from '../subscriptions/store.ts';
import type { WebhookRow } from '../tables.ts';
import { type Change, changePending, FIRST, type Position, pendingOf } from './store.ts';

/** The deliveries that a transaction changes: about 3 ms on SQLite, 10 on PostgreSQL. */
const WINDOW = 1000;

type Target = Pick<WebhookRow, 'id' | 'url'>;

/** Changes the rest, once the transaction that began has committed. */
export type Rest = () => Promise<void>;

export const NOTHING: Rest = async () => {};

export type PendingChanges = ReturnType<typeof createPendingChanges>;

/**
 * Changes the pending deliveries of a webhook: the first ones with the change that is the reason, the rest in transactions of their
 * own, so that nobody waits for a long backlog. The rest is left as it is if the webhook has changed again, and by a crash: it is not
 * sent while the webhook is stopped, and fails when it is due or when the webhook is enabled. What is in flight may still be delivered.
 */
export function createPendingChanges({ database }: { readonly database: Database }) {
  /** Changes the next deliveries in a lane; returns the last of them, undefined at the end. */
  async function changeWindow(tx: Executor, webhookId: string, lane: string, after: Position, change: Change) {
    const rows = await pendingOf(tx, { webhookId, lane, after }, WINDOW);
    await changePending(
      tx,
      rows.map(({ id }) => id),
      change,
    );
    return rows.length === WINDOW ? rows.at(-1) : undefined;
  }

  /** Goes on after a delivery, until the end of the lane or until `changeOf` returns undefined for the webhook as it is then. */
  async function goOn(id: string, lane: string, first: Position | undefined, changeOf: ChangeOf): Promise<void> {
    const next = (after: Position) =>
      database.transaction(
        async (tx) => {
          const webhook = await lockWebhookById(tx, id);
          const change = webhook && changeOf(webhook);
          return change && changeWindow(tx, id, lane, after, change);
        },
        { durable: false },
      );
    for (let after = first; after; after = await next(after)) await setImmediate();
  }

  return {
    /** Fails the pending deliveries of a webhook that is being stopped. */
    async fail(tx: Executor, webhook: Target, error: string): Promise<Rest> {
      const lane = laneOf(webhook);
      const last = await changeWindow(tx, webhook.id, lane, FIRST, failure(error));
      return () => goOn(webhook.id, lane, last, unlessEnabled(error));
    },

    /** Fails what still waits of a webhook that was stopped, before it is enabled; nothing if it is enabled. */
    failLeft: (webhook: Target, error: string): Promise<void> =>
      goOn(webhook.id, laneOf(webhook), FIRST, unlessEnabled(error)),

    /** Moves the pending deliveries of a webhook, given as it was, to the lane of another target. */
    async move(tx: Executor, webhook: Target, lane: string): Promise<Rest> {
      const from = laneOf(webhook);
      if (lane === from) return NOTHING;
      const last = await changeWindow(tx, webhook.id, from, FIRST, { lane });
      return () => goOn(webhook.id, from, last, (now) => (laneOf(now) === from ? undefined : { lane: laneOf(now) }));
    },
  };
}

type ChangeOf = (webhook: WebhookRow) => Change | undefined;

const failure = (error: string): Change => ({ status: 'failed', error });

const unlessEnabled =
  (error: string): ChangeOf =>
  ({ state }) =>
    state === 'enabled' ? undefined : failure(error);
