import { afterCommit, type Database, type Executor } from '../../platform/database/transaction.ts';
import type { Round } from '../../platform/queue/worker.ts';
import type { StoredAttempt, TallyRow } from '../tables.ts';
import { latencyStep, NO_RESPONSE } from './latency.ts';
import {
  ALL_WEBHOOKS,
  addTallies,
  hourOf,
  lockLastAttempts,
  updateLastAttempts,
  type WebhookAttempt,
} from './tally-store.ts';

const DELAY_MS = 5000;

export type Tallies = ReturnType<typeof createTallies>;

/**
 * Counts attempts in memory and writes the counts together every few seconds: a delivery costs no statement for them. Those of
 * the last seconds are lost with a process that is killed; the log has all attempts.
 */
export function createTallies({ database }: { readonly database: Database }) {
  const counts = new Map<string, TallyRow>();
  const lasts = new Map<string, StoredAttempt>();

  function count(row: TallyRow): void {
    const key = `${row.webhook_id} ${row.hour} ${row.outcome} ${row.latency}`;
    counts.set(key, { ...row, count: row.count + (counts.get(key)?.count ?? 0) });
  }

  function remember({ webhookId, attempt }: WebhookAttempt): void {
    if (attempt.at >= (lasts.get(webhookId)?.at ?? 0)) lasts.set(webhookId, attempt);
  }

  /** Takes what waits to be written. */
  function take() {
    const taken = {
      rows: [...counts.values()],
      attempts: [...lasts].map(([webhookId, attempt]) => ({ webhookId, attempt })),
    };
    counts.clear();
    lasts.clear();
    return taken;
  }

  return {
    /** Counts attempts once the transaction that records them is committed. */
    addAttempts(tx: Executor, attempts: readonly WebhookAttempt[]): void {
      if (attempts.length === 0) return;
      afterCommit(tx, () => {
        for (const each of attempts) {
          const { at, outcome, durationMs, responseStatus } = each.attempt;
          const latency = responseStatus === undefined ? NO_RESPONSE : latencyStep(durationMs);
          for (const webhook_id of [each.webhookId, ALL_WEBHOOKS])
            count({ webhook_id, hour: hourOf(at), outcome, latency, count: 1 });
          remember(each);
        }
      });
    },

    /** Counts an event above the daily limit of each webhook. */
    addThrottled(tx: Executor, webhookIds: readonly string[], at: number): void {
      const row = { hour: hourOf(at), outcome: 'throttled', latency: NO_RESPONSE } as const;
      afterCommit(tx, () => {
        for (const webhook_id of webhookIds) count({ ...row, webhook_id, count: 1 });
        count({ ...row, webhook_id: ALL_WEBHOOKS, count: webhookIds.length });
      });
    },

    /** Writes what was counted. */
    round: (async () => {
      const { rows, attempts } = take();
      if (rows.length > 0)
        await database
          .transaction(async (tx) => {
            await addTallies(tx, rows);
            await writeLast(tx, attempts);
          })
          .catch((error: unknown) => {
            for (const row of rows) count(row);
            for (const each of attempts) remember(each);
            throw error;
          });
      return { done: 0, dueInMs: DELAY_MS };
    }) satisfies Round,
  };
}

/** Writes the last attempts, but for those that another process wrote a later one for. */
async function writeLast(tx: Executor, attempts: readonly WebhookAttempt[]): Promise<void> {
  const stored = await lockLastAttempts(
    tx,
    attempts.map(({ webhookId }) => webhookId),
  );
  await updateLastAttempts(
    tx,
    attempts.filter(({ webhookId, attempt }) => {
      const before = stored.get(webhookId);
      return before !== undefined && attempt.at >= before;
    }),
  );
}
