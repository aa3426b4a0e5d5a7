import { afterCommit, createCollector, type Database, type Executor } from '../../platform/database/transaction.ts';
import type { Round } from '../../platform/queue/worker.ts';
import { type LastTrigger, lastTriggersOf, updateLastTriggers } from './trigger-store.ts';

interface Trigger {
  readonly id: string;
  readonly at: number;
}

const DELAY_MS = 1000;
const MAX_READ = 1000;

export type LastTriggers = ReturnType<typeof createLastTriggers>;

/**
 * Records when each webhook was last triggered. A time that is a second later than the stored one is written in the transaction of
 * its event, unless another transaction has locked the webhook: other events would wait for it as well. Within a second all times
 * are compared with the stored ones, and those that are missing are written: of locked webhooks, and of busy ones, which are not
 * written for every event.
 */
export function createLastTriggers({ database }: { readonly database: Database }) {
  const waiting = new Map<string, number>();
  const withEvents = createCollector<Trigger>((tx, triggers) => updateLastTriggers(tx, latestOf(triggers)));

  const wait = (triggers: readonly Trigger[]) => {
    for (const { id, at } of triggers) waiting.set(id, Math.max(at, waiting.get(id) ?? 0));
  };

  /** Writes the times that are not stored, which the next round compares again. */
  async function write(triggers: readonly Trigger[]): Promise<void> {
    const wanted = new Map(triggers.map(({ id, at }) => [id, at]));
    const stored = await lastTriggersOf(database.read, [...wanted.keys()]);
    const missing = stored.flatMap(({ id, last_trigger_at: last }): Trigger[] => {
      const at = wanted.get(id);
      return at !== undefined && isLater(at, last) ? [{ id, at }] : [];
    });
    if (missing.length === 0) return;
    await database.transaction((tx) => updateLastTriggers(tx, latestOf(missing)));
    wait(missing);
  }

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
      if (newer.length > 0) afterCommit(tx, () => wait(newer.map(({ id }) => ({ id, at }))));
    },

    /** Writes the times that were not stored with their event. */
    round: (async () => {
      const triggers = [...waiting].map(([id, at]) => ({ id, at }));
      waiting.clear();
      for (let from = 0; from < triggers.length; from += MAX_READ)
        await write(triggers.slice(from, from + MAX_READ)).catch((error: unknown) => {
          wait(triggers.slice(from));
          throw error;
        });
      return { done: 0, dueInMs: DELAY_MS };
    }) satisfies Round,
  };
}

/** Returns the last time of each webhook. */
function latestOf(triggers: readonly Trigger[]): LastTrigger[] {
  const latest = new Map<string, number>();
  for (const { id, at } of triggers) latest.set(id, Math.max(at, latest.get(id) ?? 0));
  return [...latest].map(([id, at]) => ({ id, last_trigger_at: at }));
}

const isLater = (at: number, last: number | null) => last === null || at > last;
