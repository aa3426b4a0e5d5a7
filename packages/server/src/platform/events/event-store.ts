import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { insertNew } from '../database/bulk.ts';
import { bigint, integer, text } from '../database/columns.ts';
import { unawaited } from '../database/postgres/unawaited.ts';
import { prepared } from '../database/prepared.ts';
import type { EventRow } from '../database/tables.ts';
import { type Executor, forUpdateSkipLocked, type ReadExecutor } from '../database/transaction.ts';
import { type TextList, textList, whereIn } from '../database/where-in.ts';
import { isNotSetAside } from '../queue/dead-letter-store.ts';
import { currentEpoch } from './epoch-store.ts';

interface NewEvent {
  readonly id: string;
  readonly topic: string;
  readonly now: number;
  readonly data: string;
  /** Set if nothing reacts to the event. */
  readonly doneAt: number | null;
  readonly trace: string | null;
}

const inserted = prepared<NewEvent>()((tx: Executor, argument) =>
  tx
    .insertInto('events')
    .values({
      id: argument('id'),
      topic: argument('topic'),
      created_at: argument('now'),
      data: argument('data'),
      due_at: argument('now'),
      attempts: 0,
      done_at: argument('doneAt'),
      progress: null,
      trace: argument('trace'),
      epoch: currentEpoch,
    })
    .modifyEnd(unawaited),
);

export async function insertEvent(tx: Executor, event: NewEvent): Promise<void> {
  await inserted(tx, event);
}

const EVENT = {
  id: text(),
  topic: text(),
  created_at: bigint(),
  data: text(),
  due_at: bigint(),
  attempts: integer(),
  trace: text<string | null>(),
  epoch: bigint(),
};

/** Inserts many events in a few statements. */
export async function insertEvents(
  tx: Executor,
  events: readonly Omit<NewEvent, 'doneAt' | 'now'>[],
  now: number,
): Promise<void> {
  const { epoch } = await tx.selectNoFrom(currentEpoch.as('epoch')).executeTakeFirstOrThrow();
  const rows = events.map((event) => ({ ...event, created_at: now, due_at: now, attempts: 0, epoch }));
  await insertNew(tx, 'events', EVENT, rows);
}

/** Returns the data of the unfinished events of a topic. */
export async function dataOfUnfinishedEvents(executor: ReadExecutor, topic: string): Promise<string[]> {
  const rows = await executor
    .selectFrom('events')
    .select('data')
    .where('topic', '=', topic)
    .where('done_at', 'is', null)
    .execute();
  return rows.map(({ data }) => data);
}

/** An event whose reactions are due. */
export type DueEvent = Pick<
  EventRow,
  'id' | 'topic' | 'created_at' | 'epoch' | 'data' | 'due_at' | 'progress' | 'trace'
>;

/** Selects due events: the oldest up to a limit that are due since a time, some by id, or one. */
export type Chosen =
  | { readonly limit: number; readonly from: number }
  | { readonly limit: number; readonly among: readonly string[] }
  | { readonly id: string };

/** Selects due events, and locks them; skips events that another process has locked. */
const lockDue = (tx: Executor, now: number | RawBuilder<number>) =>
  tx
    .selectFrom('events')
    .select(['id', 'topic', 'created_at', 'epoch', 'data', 'due_at', 'progress', 'trace'])
    .where('done_at', 'is', null)
    .where('due_at', '<=', now)
    .modifyEnd(forUpdateSkipLocked(tx));

const lockOldest = prepared<{ now: number; from: number; limit: number }>()((tx: Executor, argument) =>
  lockDue(tx, argument('now'))
    .where('due_at', '>=', argument('from'))
    .orderBy('due_at')
    .orderBy('id')
    .limit(argument('limit')),
);

/** Locks and returns due events. */
export function lockDueEvents(tx: Executor, now: number, chosen: Chosen): Promise<DueEvent[]> {
  if ('id' in chosen) return lockDue(tx, now).where('id', '=', chosen.id).execute();
  if ('from' in chosen) return lockOldest(tx, { now, from: chosen.from, limit: chosen.limit });
  const { limit, among } = chosen;
  return lockDue(tx, now)
    .where(whereIn(tx, 'id', among))
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Stores the progress of the reactions of an event, and the time at which the event is due again. */
export async function saveProgress(tx: Executor, id: string, progress: string, dueAt: number): Promise<void> {
  await tx.updateTable('events').set({ progress, due_at: dueAt }).where('id', '=', id).execute();
}

const end = prepared<{ ids: TextList; now: number }>()((tx: Executor, argument) =>
  tx
    .updateTable('events')
    .set({ done_at: argument('now') })
    .where(whereIn(tx, 'id', argument('ids')))
    .modifyEnd(unawaited),
);

export async function endEvents(tx: Executor, ids: readonly string[], now: number): Promise<void> {
  await end(tx, { ids: textList(tx, ids), now });
}

/** Marks an unfinished event as done. Returns the event. */
export const endEvent = (
  tx: Executor,
  id: string,
  now: number,
): Promise<Pick<EventRow, 'topic' | 'created_at'> | undefined> =>
  tx
    .updateTable('events')
    .set({ done_at: now })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .returning(['topic', 'created_at'])
    .executeTakeFirst();

/** Makes an event due again, as if no reaction had failed. Returns whether the event is there. */
export async function reopenEvent(tx: Executor, id: string, now: number): Promise<boolean> {
  const row = await tx
    .updateTable('events')
    .set({ done_at: null, due_at: now, attempts: 0 })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const BATCH_ROWS = 500;

/**
 * Deletes a batch of events between two ids that are done, not set aside and no longer needed. Returns the last event
 * examined, undefined at the end.
 */
export async function pruneEvents(
  tx: Executor,
  { after, before }: { readonly after: string; readonly before: string },
  isNeeded: RawBuilder<SqlBool>,
): Promise<{ readonly reached: string; readonly deleted: number } | undefined> {
  const rows = await tx
    .selectFrom('events')
    .select('id')
    .where('id', '>', after)
    .where('id', '<', before)
    .orderBy('id')
    .limit(BATCH_ROWS)
    .execute();
  const last = rows.at(-1)?.id;
  if (last === undefined) return undefined;
  const { numDeletedRows } = await tx
    .deleteFrom('events')
    .where('id', '>', after)
    .where('id', '<=', last)
    .where('done_at', 'is not', null)
    .where(isNotSetAside('events', 'events.id'))
    .where(sql<SqlBool>`not ${isNeeded}`)
    .executeTakeFirstOrThrow();
  return { reached: last, deleted: Number(numDeletedRows) };
}
