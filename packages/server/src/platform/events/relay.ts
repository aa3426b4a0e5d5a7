import type { Clock } from '../clock.ts';
import { afterCommit, type Database, type Executor } from '../database/transaction.ts';
import type { Logger } from '../logger.ts';
import type { CrashGuard } from '../queue/crash-guard/crash-guard.ts';
import type { SetAside } from '../queue/dead-letters.ts';
import { LOCKED_RETRY_MS, nextDueInMs, postpone } from '../queue/due.ts';
import { createDueBound } from '../queue/due-bound.ts';
import { EVENTS } from '../queue/due-store.ts';
import { ValueNotFetched } from '../queue/fault.ts';
import { NO_TRACES, type Traces } from '../tracing/traces.ts';
import { type Chosen, type DueEvent, endEvents, lockDueEvents, saveProgress } from './event-store.ts';
import { react, readAhead } from './react.ts';
import { byTopic, type TopicReactions } from './reaction.ts';

interface RelayOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reactions: readonly TopicReactions[];
  readonly setAside: SetAside;
  readonly crashGuard: CrashGuard;
  /** Called with the time from an event until its last reaction has finished. */
  readonly onHandled?: ((seconds: number) => void) | undefined;
  readonly traces?: Traces | undefined;
}

interface Handled {
  readonly done: number;
  /** The due time before which no due event was left; undefined where none was left. */
  readonly oldestLeft: number | undefined;
}

const BATCH = 50;
const EVENT = 'moonbase.event.id';
/** The maximum time of a transaction of the relay: SQLite is synchronous, so requests wait for its end. */
const ENOUGH_MS = { sqlite: 10, postgres: 100 } as const;

/**
 * One round of the relay: runs the reactions of unfinished events. The transaction locks the row of its event, so that
 * two processes never work on the same event, and a crash releases it at once.
 */
export function createRelay(options: RelayOptions) {
  const { database, clock, logger, setAside, crashGuard, onHandled, traces = NO_TRACES } = options;
  const reactions = byTopic(options.reactions);
  const bound = createDueBound();

  /** `atHand` names the event being processed, which is the one to blame for a failure. */
  async function reactTo(
    tx: Executor,
    rows: readonly DueEvent[],
    atHand: { id?: string | undefined },
  ): Promise<Handled> {
    const startedAt = performance.now();
    const done: DueEvent[] = [];
    let reacted = 0;
    for (const [at, row] of rows.entries()) {
      // Each statement of PostgreSQL waits for its answer, and for the turn in which the hub reads it.
      if (database.engine === 'postgres' && rows[at - 1]?.topic !== row.topic)
        await readAhead(tx, rows.slice(at), reactions);
      atHand.id = row.id;
      const span = traces.begin(`react to ${row.topic}`, { parent: row.trace, attributes: { [EVENT]: row.id } });
      const rest = await react(tx, row, reactions).catch((error: unknown) => {
        span.end({}, 'the reaction failed');
        throw error;
      });
      span.end();
      if (rest === undefined) done.push(row);
      // Moves to the end of the queue, so that newer events do not wait for all pages.
      else await saveProgress(tx, row.id, JSON.stringify(rest), clock.now());
      atHand.id = undefined;
      reacted += 1;
      if (performance.now() - startedAt > ENOUGH_MS[database.engine]) break;
    }
    const left = (rows[reacted] ?? (rows.length === BATCH ? rows.at(-1) : undefined))?.due_at;
    if (done.length > 0) {
      const ids = done.map(({ id }) => id);
      await endEvents(tx, ids, clock.now());
      const now = clock.now();
      afterCommit(tx, () => {
        for (const row of done) onHandled?.((now - row.created_at) / 1000);
      });
    }
    return { done: reacted, oldestLeft: left ?? (done.length < reacted ? clock.now() : undefined) };
  }

  async function failed(id: string, error: unknown): Promise<void> {
    const failures = await postpone(database, EVENTS, id, { now: clock.now(), error, setAside });
    logger.error({ err: error, eventId: id, failures }, 'a reaction failed');
  }

  /** Fetches what a reaction needs from outside the database, then reacts to its event alone. */
  async function fetchThenReact(id: string, { get }: ValueNotFetched): Promise<void> {
    try {
      await get();
    } catch (error) {
      return failed(id, error);
    }
    await reactToDue({ id }, true);
  }

  /** Reacts to the selected events that are due. A failing event is postponed and holds up no other. */
  async function reactToDue(chosen: Chosen, wasGot = false): Promise<Handled> {
    const atHand: { id?: string | undefined } = {};
    let batch: readonly string[] = [];
    try {
      return await database.transaction(
        async (tx) => {
          atHand.id = undefined;
          const rows = await lockDueEvents(tx, clock.now(), chosen);
          batch = rows.map(({ id }) => id);
          return reactTo(tx, rows, atHand);
        },
        // A power cut that undoes the commit lets the reactions run again, under new ids: what they made waits for the disk. On
        // SQLite that is where it leaves the hub, because other transactions would wait too.
        { cutOff: true, durable: database.engine === 'postgres' },
      );
    } catch (error) {
      const culprit = atHand.id ?? (batch.length === 1 ? batch[0] : undefined);
      if (culprit !== undefined && error instanceof ValueNotFetched && !wasGot) await fetchThenReact(culprit, error);
      else if (culprit !== undefined) await failed(culprit, error);
      else if (batch.length === 0) throw error;
      // The failing event of the batch is unknown.
      else for (const id of batch) await reactToDue({ id });
      return { done: batch.length, oldestLeft: 0 };
    }
  }

  async function reactToOldest(from: number): Promise<Handled> {
    const now = clock.now();
    const handled = await reactToDue({ limit: BATCH, from });
    if (from === 0) bound.saw(now, handled.oldestLeft);
    // A nudge tells of an event, which may have waited for the end of a long transaction.
    return handled.done === 0 && from > 0 ? reactToOldest(0) : handled;
  }

  /** Reacts to what an unclean end of a process may have interrupted; what is left is not known. */
  async function reactGuarded(): Promise<Handled> {
    const work = async (among: readonly string[]) => (await reactToDue({ limit: BATCH, among })).done;
    return { done: await crashGuard.processDue(EVENTS, BATCH, work), oldestLeft: 0 };
  }

  const nextInMs = () => {
    const now = clock.now();
    return nextDueInMs(database.read, EVENTS, { now, from: bound.from(now) });
  };

  return async function round(nudged = true): Promise<{ done: number; dueInMs?: number | undefined }> {
    // Looking costs less than a transaction that finds nothing, whose commit the next event would wait for.
    const dueInMs = nudged ? 0 : await nextInMs();
    if (dueInMs === undefined || dueInMs > LOCKED_RETRY_MS) return { done: 0, dueInMs };
    const isGuarded = crashGuard.isActive('events');
    const { done, oldestLeft } = isGuarded ? await reactGuarded() : await reactToOldest(bound.from(clock.now()));
    // The look at what is due next waits a moment, because now it would take time from what has just become due.
    if (done > 0) return oldestLeft === undefined ? { done, dueInMs: LOCKED_RETRY_MS } : { done };
    return { done: 0, dueInMs: await nextInMs() };
  };
}
