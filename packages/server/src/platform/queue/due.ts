import { type SqlBool, sql } from 'kysely';
import { type Database, forUpdateSkipLocked, type ReadExecutor } from '../database/transaction.ts';
import { unnest, whereIn } from '../database/where-in.ts';
import { MAX_FAILURES, type SetAside } from './dead-letters.ts';
import { describeFault, failuresAfter, isPassing } from './fault.ts';
import { MAX_COUNTED, type QueueState } from './state.ts';

/** When a task is due that was set aside. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** The queues that are one line of rows each, and what of them is still to be done. */
const OPEN = {
  events: sql`done_at is null`,
  tasks: sql`due_at < ${sql.lit(NEVER)}`,
  mails: sql`state = 'waiting'`,
} as const;
export type Queue = keyof typeof OPEN;

/** The condition of rows that are still to be done. */
export const openRows = (queue: Queue) => OPEN[queue];

/** What is due and not to be had is being worked on by another process. */
export const TAKEN_MS = 50;

/** How long to wait after so many failures: 1 s, doubled each time, at most 5 min. */
export const backoffMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), 300_000);

/** Not `min(due_at)`, for which PostgreSQL may read all that wait where it believes that they are few. */
const firstDue = (queue: Queue) =>
  sql`select due_at from ${sql.table(queue)} where ${OPEN[queue]} order by due_at limit 1`;

/** How much waits in a queue, and when the oldest of it is due. */
async function stateOf(executor: ReadExecutor, queue: Queue): Promise<QueueState> {
  const open = sql`${sql.table(queue)} where ${OPEN[queue]}`;
  const { rows } = await sql<QueueState>`
    select (select count(*) from (select 1 from ${open} limit ${MAX_COUNTED}) as counted) as waiting,
      (${firstDue(queue)}) as "oldestDueAt"`.execute(executor);
  return rows[0] ?? { waiting: 0, oldestDueAt: null };
}

/** The queues that are one line of rows each, each with how it is looked at. */
export const ONE_LINE_QUEUES = Object.fromEntries(
  (Object.keys(OPEN) as Queue[]).map((queue) => [queue, (executor: ReadExecutor) => stateOf(executor, queue)]),
);

/** In how many milliseconds to ask a queue again that has nothing to be had; undefined when nothing waits in it. */
export async function nextDueInMs(executor: ReadExecutor, queue: Queue, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ due_at: number }>`${firstDue(queue)}`.execute(executor);
  const due = rows[0]?.due_at;
  if (due === undefined) return undefined;
  return due <= now ? TAKEN_MS : due - now;
}

interface Chosen {
  readonly now: number;
  readonly limit: number;
  readonly butNot?: readonly string[];
  readonly only?: readonly string[];
}

/** What is due, oldest first, of all but some, or of some only. */
export async function dueIds(executor: ReadExecutor, queue: Queue, { now, limit, butNot, only }: Chosen) {
  if (only?.length === 0) return [];
  const chosen = only ? whereIn(executor, 'id', only) : sql<SqlBool>`id not in ${unnest(executor, butNot ?? [])}`;
  const { rows } = await sql<{ id: string; due_at: number }>`
    select id, due_at from ${sql.table(queue)} where ${OPEN[queue]} and due_at <= ${now} and ${chosen}
    order by due_at, id limit ${limit}`.execute(executor);
  return rows;
}

/** Those of the rows that are still to be done. */
export async function openIds(executor: ReadExecutor, queue: Queue, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(queue)} where ${OPEN[queue]} and ${whereIn(executor, 'id', ids)}`.execute(executor);
  return rows.map(({ id }) => id);
}

interface Failure {
  readonly now: number;
  readonly error: unknown;
  readonly setAside: SetAside;
}

/**
 * After work on a row that failed and was rolled back: it is due again after a wait, or set aside where that was once
 * too often. Returns how often it has failed; undefined when another process has done the work since, has failed at it
 * too, or is at it.
 */
export const postpone = (
  database: Database,
  queue: Queue,
  id: string,
  { now, error, setAside }: Failure,
): Promise<number | undefined> =>
  database.transaction(async (tx) => {
    const { rows } = await sql<{ attempts: number }>`
      select attempts from ${sql.table(queue)} where id = ${id} and ${OPEN[queue]} and due_at <= ${now}
      ${forUpdateSkipLocked(tx)}`.execute(tx);
    if (!rows[0]) return undefined;
    const attempts = failuresAfter(rows[0].attempts, error);
    await tx
      .updateTable(queue)
      .set({ attempts, due_at: now + backoffMs(attempts) })
      .where('id', '=', id)
      .execute();
    if (attempts >= MAX_FAILURES && !isPassing(error))
      await setAside(tx, queue, id, { error: describeFault(error), failures: attempts, deaths: 0 });
    return attempts;
  });
