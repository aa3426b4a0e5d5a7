import { afterCommit, createCollector, type Database, type Executor } from '../../platform/database/transaction.ts';
import type { Round } from '../../platform/queue/worker.ts';
import { type LastTrigger, lockLastTriggers, updateLastTrigger, updateLastTriggers } from './trigger-store.ts';

interface Trigger {
  readonly id: string;
  readonly at: number;
}

const DELAY_MS = 1000;

export type LastTriggers = ReturnType<typeof createLastTriggers>;

/**
 * Records when each webhook was last triggered. A time that is a second later than the stored one is written in the transaction of
 * its event; other times are written together within a second, so that a busy webhook is not written for every event.
 */
export function createLastTriggers({ database }: { readonly database: Database }) {
  const waiting = new Map<string, number>();
  const withEvents = createCollector<Trigger>(write);

  const wait = (triggers: readonly Trigger[]) => {
    for (const { id, at } of triggers) waiting.set(id, Math.max(at, waiting.get(id) ?? 0));
  };

  return {
    /** Notes that an event triggered webhooks, in the transaction of its deliveries. */
    add(tx: Executor, webhooks: readonly LastTrigger[], at: number): void {
      const newer = webhooks.filter(({ last_trigger_at: last }) => isLater(at, last));
      const due = newer.filter(({ last_trigger_at: last }) => last === null || at >= last + DELAY_MS);
      if (due.length > 0)
        withEvents.add(
          tx,
          due.map(({ id }) => ({ id, at })),
        );
      const postponed = newer.filter((webhook) => !due.includes(webhook)).map(({ id }) => ({ id, at }));
      if (postponed.length > 0) afterCommit(tx, () => wait(postponed));
    },

    /** Writes the times that were not written with their event. */
    round: (async () => {
      const triggers = [...waiting].map(([id, at]) => ({ id, at }));
      waiting.clear();
      if (triggers.length > 0)
        await database
          .transaction((tx) => write(tx, triggers))
          .catch((error: unknown) => {
            wait(triggers);
            throw error;
          });
      return { done: 0, dueInMs: DELAY_MS };
    }) satisfies Round,
  };
}

async function write(tx: Executor, triggers: readonly Trigger[]): Promise<void> {
  const latest = new Map<string, number>();
  for (const { id, at } of triggers) latest.set(id, Math.max(at, latest.get(id) ?? 0));
  // One row needs no order of locks.
  const [only, ...others] = latest;
  if (only && others.length === 0) return updateLastTrigger(tx, ...only);
  const webhooks = await lockLastTriggers(tx, [...latest.keys()]);
  const newer = webhooks.flatMap(({ id, last_trigger_at: last }): LastTrigger[] => {
    const at = latest.get(id);
    return at !== undefined && isLater(at, last) ? [{ id, last_trigger_at: at }] : [];
  });
  await updateLastTriggers(tx, newer);
}

const isLater = (at: number, last: number | null) => last === null || at > last;
