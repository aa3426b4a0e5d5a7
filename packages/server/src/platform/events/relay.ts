import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Database, Executor } from '../database/transaction.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../logger.ts';
import { backoffMs } from '../queue/backoff.ts';
import { claim, LEASE_MS, nextDueAt } from '../queue/claim.ts';
import type { HubEvent } from './record.ts';

/** What follows from an event. Inserts rows only, may run twice, and does not depend on the order of events. */
export type Reaction = (tx: Executor, event: HubEvent) => Promise<void>;

/** The reactions of a topic. */
export type ReactionMap = Readonly<Record<string, readonly Reaction[]>>;

interface RelayOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly reactions: ReactionMap;
}

const BATCH = 50;

/** One round of the relay: claims events that are not done yet and runs their reactions. */
export function createRelay({ database, clock, ids, logger, reactions }: RelayOptions) {
  async function react(tx: Executor, lease: string, eventId: string): Promise<void> {
    const row = await tx
      .selectFrom('events')
      .select(['id', 'topic', 'created_at', 'data'])
      .where('id', '=', eventId)
      .where('lease', '=', lease)
      .executeTakeFirst();
    if (!row) return;
    const event = { id: row.id, topic: row.topic, createdAt: row.created_at, data: JSON.parse(row.data) as unknown };
    for (const reaction of reactions[row.topic] ?? []) await reaction(tx, event);
    await tx
      .updateTable('events')
      .set({ done_at: clock.now(), lease: null })
      .where('id', '=', eventId)
      .where('lease', '=', lease)
      .execute();
  }

  async function postpone(eventId: string, lease: string, error: unknown): Promise<void> {
    const row = await database.executor
      .selectFrom('events')
      .select('attempts')
      .where('id', '=', eventId)
      .executeTakeFirstOrThrow();
    const attempts = row.attempts + 1;
    logger.error({ err: error, eventId, attempts }, 'a reaction failed; it will be tried again');
    await database.executor
      .updateTable('events')
      .set({ attempts, due_at: clock.now() + backoffMs(attempts), lease: null })
      .where('id', '=', eventId)
      .where('lease', '=', lease)
      .execute();
  }

  return async function round(): Promise<{ done: number; dueInMs?: number | undefined }> {
    const now = clock.now();
    const lease = ids();
    const eventIds = await claim(database.executor, { table: 'events', lease, now, limit: BATCH });
    if (eventIds.length === 0) {
      const due = await nextDueAt(database.executor, 'events');
      return { done: 0, dueInMs: due === undefined ? undefined : Math.max(1, Math.min(due - now, LEASE_MS)) };
    }
    for (const id of eventIds) {
      await database.transaction((tx) => react(tx, lease, id)).catch((error: unknown) => postpone(id, lease, error));
      // SQLite answers at once: without this, requests would wait for the whole batch.
      await setImmediate();
    }
    return { done: eventIds.length };
  };
}
