import type { Clock } from '../clock.ts';
import { among } from '../database/among.ts';
import { afterCommit, type Database, type Executor, forUpdateSkipLocked } from '../database/transaction.ts';
import type { Logger } from '../logger.ts';
import { nextDueInMs, postpone } from '../queue/due.ts';
import { NO_TRACES, type Traces } from '../traces.ts';
import type { HubEvent } from './record.ts';

/**
 * What follows from an event. Inserts rows only, may run twice, and does not depend on the order of events. One that
 * has much to do does a page and answers a cursor: it is called again with it, in a later transaction.
 */
export type Reaction = (tx: Executor, event: HubEvent, after: string | undefined) => Promise<string | undefined>;

/** The cursor of a reaction that finds what is left by the same query again, without one. */
export const AGAIN = 'again';

/** The reactions of a topic, by name, in the order in which they run. */
export type ReactionMap = Readonly<Record<string, Readonly<Record<string, Reaction>>>>;

interface RelayOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reactions: ReactionMap;
  /** Told how long after an event everything has followed from it. */
  readonly followed?: ((seconds: number) => void) | undefined;
  readonly traces?: Traces | undefined;
}

const BATCH = 50;
const EVENT = 'moonbase.event.id';
/** How long a transaction of the relay may take: on SQLite, which answers synchronously, requests wait for its end. */
const ENOUGH_MS = { sqlite: 10, postgres: 100 } as const;

/** Where the reactions of an event have come to: a cursor, or true for one that is through. */
type Progress = Readonly<Record<string, string | true>>;

/**
 * One round of the relay: runs the reactions of events that are not done yet. The transaction that reacts to an event
 * holds its row meanwhile, so that two processes never work on the same one, and a crash hands it back at once.
 */
export function createRelay({ database, clock, logger, reactions, followed, traces = NO_TRACES }: RelayOptions) {
  const dueRows = (tx: Executor) =>
    tx
      .selectFrom('events')
      .select(['id', 'topic', 'created_at', 'data', 'progress', 'trace'])
      .where('done_at', 'is', null)
      .where('due_at', '<=', clock.now())
      .modifyEnd(forUpdateSkipLocked(tx));

  type Row = Awaited<ReturnType<ReturnType<typeof dueRows>['execute']>>[number];

  /** Runs each reaction that is not through, a page of it. Answers what is left to do. */
  async function react(tx: Executor, row: Row): Promise<Progress | undefined> {
    const event = { id: row.id, topic: row.topic, createdAt: row.created_at, data: JSON.parse(row.data) as unknown };
    const before = row.progress === null ? {} : (JSON.parse(row.progress) as Progress);
    const progress: Record<string, string | true> = {};
    for (const [name, reaction] of Object.entries(reactions[row.topic] ?? {})) {
      const after = before[name];
      progress[name] = after === true || ((await reaction(tx, event, after)) ?? true);
    }
    return Object.values(progress).every((each) => each === true) ? undefined : progress;
  }

  async function reactTo(tx: Executor, rows: readonly Row[]): Promise<number> {
    const startedAt = performance.now();
    const done: Row[] = [];
    let reacted = 0;
    for (const row of rows) {
      const span = traces.begin(`react to ${row.topic}`, { parent: row.trace, attributes: { [EVENT]: row.id } });
      const left = await react(tx, row).catch((error: unknown) => {
        span.end({}, 'the reaction failed');
        throw error;
      });
      span.end();
      if (left === undefined) done.push(row);
      else
        await tx
          .updateTable('events')
          // To the end of the queue: what happened meanwhile does not wait for all pages.
          .set({ progress: JSON.stringify(left), due_at: clock.now() })
          .where('id', '=', row.id)
          .execute();
      reacted += 1;
      if (performance.now() - startedAt > ENOUGH_MS[database.engine]) break;
    }
    if (done.length > 0) {
      await tx
        .updateTable('events')
        .set({ done_at: clock.now() })
        .where(
          among(
            tx,
            'id',
            done.map(({ id }) => id),
          ),
        )
        .execute();
      const now = clock.now();
      afterCommit(tx, () => {
        for (const row of done) followed?.((now - row.created_at) / 1000);
      });
    }
    return reacted;
  }

  /** After a batch that failed: each of its events in a transaction of its own, so that one holds up no other. */
  async function oneByOne(eventIds: readonly string[]): Promise<void> {
    for (const id of eventIds)
      await database
        .transaction(async (tx) => reactTo(tx, await dueRows(tx).where('id', '=', id).execute()))
        .catch(async (error: unknown) => {
          const attempts = await postpone(database, 'events', id, clock.now());
          logger.error({ err: error, eventId: id, attempts }, 'a reaction failed; it will be tried again');
        });
  }

  return async function round(): Promise<{ done: number; dueInMs?: number | undefined }> {
    let batch: string[] = [];
    try {
      const done = await database.transaction(async (tx) => {
        const rows = await dueRows(tx).orderBy('due_at').orderBy('id').limit(BATCH).execute();
        batch = rows.map((row) => row.id);
        return reactTo(tx, rows);
      });
      if (done > 0) return { done };
    } catch (error) {
      if (batch.length === 0) throw error;
      await oneByOne(batch);
      return { done: batch.length };
    }
    return { done: 0, dueInMs: await nextDueInMs(database.executor, 'events', clock.now()) };
  };
}
