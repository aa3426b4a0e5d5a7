import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { afterCommit, type Database, type Executor, forUpdateSkipLocked } from '../database/transaction.ts';
import { whereIn } from '../database/where-in.ts';
import type { Logger } from '../logger.ts';
import type { Care } from '../queue/care.ts';
import type { SetAside } from '../queue/dead-letters.ts';
import { nextDueInMs, postpone } from '../queue/due.ts';
import { NotAtHand } from '../queue/fault.ts';
import { readStored } from '../stored-form.ts';
import { NO_TRACES, type Traces } from '../traces.ts';
import { byTopic, type TopicReactions } from './reaction.ts';

interface RelayOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reactions: readonly TopicReactions[];
  readonly setAside: SetAside;
  readonly care: Care;
  /** Told how long after an event everything has followed from it. */
  readonly onHandled?: ((seconds: number) => void) | undefined;
  readonly traces?: Traces | undefined;
}

const BATCH = 50;
const EVENT = 'moonbase.event.id';
/** How long a transaction of the relay may take: on SQLite, which answers synchronously, requests wait for its end. */
const ENOUGH_MS = { sqlite: 10, postgres: 100 } as const;

/** Where the reactions of an event have come to: a cursor, or true for one that is through. */
const Progress = z.record(z.string(), z.union([z.string(), z.literal(true)]));
type Progress = z.infer<typeof Progress>;

/**
 * One round of the relay: runs the reactions of events that are not done yet. The transaction that reacts to an event
 * holds its row meanwhile, so that two processes never work on the same one, and a crash hands it back at once.
 */
export function createRelay(options: RelayOptions) {
  const { database, clock, logger, setAside, care, onHandled, traces = NO_TRACES } = options;
  const reactions = byTopic(options.reactions);

  const dueRows = (tx: Executor) =>
    tx
      .selectFrom('events')
      .select(['id', 'topic', 'created_at', 'epoch', 'data', 'progress', 'trace'])
      .where('done_at', 'is', null)
      .where('due_at', '<=', clock.now())
      .modifyEnd(forUpdateSkipLocked(tx));

  type DueRows = ReturnType<typeof dueRows>;
  type Row = Awaited<ReturnType<DueRows['execute']>>[number];

  /** Runs each reaction that is not through, a page of it. Returns what is left to do. */
  async function react(tx: Executor, row: Row): Promise<Progress | undefined> {
    const { id, topic, created_at: createdAt, epoch } = row;
    const event = { id, topic, createdAt, epoch, data: row.data };
    const before =
      row.progress === null ? {} : readStored(Progress, JSON.parse(row.progress), 'The progress of an event');
    const progress: Progress = {};
    for (const { pending } of reactions.get(topic) ?? [])
      for (const [name, reaction] of pending(event)) {
        const after = before[name];
        progress[name] = after === true || ((await reaction(tx, after)) ?? true);
      }
    return Object.values(progress).every((each) => each === true) ? undefined : progress;
  }

  /** `atHand` says meanwhile which event is reacted to: the one to blame where that fails. */
  async function reactTo(tx: Executor, rows: readonly Row[], atHand: { id?: string | undefined }): Promise<number> {
    const startedAt = performance.now();
    const done: Row[] = [];
    let reacted = 0;
    for (const row of rows) {
      atHand.id = row.id;
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
      atHand.id = undefined;
      reacted += 1;
      if (performance.now() - startedAt > ENOUGH_MS[database.engine]) break;
    }
    if (done.length > 0) {
      await tx
        .updateTable('events')
        .set({ done_at: clock.now() })
        .where(
          whereIn(
            tx,
            'id',
            done.map(({ id }) => id),
          ),
        )
        .execute();
      const now = clock.now();
      afterCommit(tx, () => {
        for (const row of done) onHandled?.((now - row.created_at) / 1000);
      });
    }
    return reacted;
  }

  async function failed(id: string, error: unknown): Promise<void> {
    const attempts = await postpone(database, 'events', id, { now: clock.now(), error, setAside });
    logger.error({ err: error, eventId: id, attempts }, 'a reaction failed; it will be tried again');
  }

  /** To one event, alone, once what was not at hand is got. */
  async function reactLater(id: string, { get }: NotAtHand): Promise<void> {
    try {
      await get();
    } catch (error) {
      return failed(id, error);
    }
    await reactToDue((query) => query.where('id', '=', id), true);
  }

  /** Reacts to what is due of the chosen; returns to how many. One that fails is put off, and holds up no other. */
  async function reactToDue(choose: (query: DueRows) => DueRows, wasGot = false): Promise<number> {
    const atHand: { id?: string | undefined } = {};
    let batch: readonly string[] = [];
    try {
      return await database.transaction(
        async (tx) => {
          atHand.id = undefined;
          const rows = await choose(dueRows(tx)).execute();
          batch = rows.map(({ id }) => id);
          return reactTo(tx, rows, atHand);
        },
        { cutOff: true },
      );
    } catch (error) {
      const culprit = atHand.id ?? (batch.length === 1 ? batch[0] : undefined);
      if (culprit !== undefined && error instanceof NotAtHand && !wasGot) await reactLater(culprit, error);
      else if (culprit !== undefined) await failed(culprit, error);
      else if (batch.length === 0) throw error;
      // Nobody knows which of them it was.
      else for (const id of batch) await reactToDue((query) => query.where('id', '=', id));
      return batch.length;
    }
  }

  return async function round(): Promise<{ done: number; dueInMs?: number | undefined }> {
    const oldest = (query: DueRows) => query.orderBy('due_at').orderBy('id').limit(BATCH);
    const done = care.isOn('events')
      ? await care.carefully('events', BATCH, (ids) =>
          reactToDue((query) => oldest(query.where(whereIn(database.read, 'id', ids)))),
        )
      : await reactToDue(oldest);
    if (done > 0) return { done };
    return { done: 0, dueInMs: await nextDueInMs(database.read, 'events', clock.now()) };
  };
}
