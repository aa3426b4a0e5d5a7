import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { prepared } from '../database/prepared.ts';
import type { QueueName, Tables } from '../database/tables.ts';
import { type Executor, forUpdateSkipLocked, type ReadExecutor } from '../database/transaction.ts';
import { unnest, whereIn } from '../database/where-in.ts';
import { MAX_COUNTED, type QueueState } from './state.ts';

/** The due time of a task that was set aside: never. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** A queue without lanes: the name of its table, and the condition for unfinished rows. */
export interface RowQueue {
  readonly name: QueueName & keyof Tables;
  readonly open: RawBuilder<SqlBool>;
  /** Returns the due time of the first row that is due from a time on. */
  readonly firstDue: (executor: ReadExecutor, since: { readonly from: number }) => Promise<{ due_at: number }[]>;
}

/** Returns a queue whose unfinished rows meet a condition. */
export const rowQueue = (name: RowQueue['name'], open: RawBuilder<SqlBool>): RowQueue => ({
  ...{ name, open },
  firstDue: prepared<{ from: number }>()((_, argument) => firstDue({ name, open }, argument('from'))),
});

/** Selects the first due time from a time on. `min(due_at)` would make PostgreSQL read all waiting rows if it expects few. */
const firstDue = ({ name, open }: Pick<RowQueue, 'name' | 'open'>, from: RawBuilder<number>) =>
  sql<{ due_at: number }>`
    select due_at from ${sql.table(name)} where ${open} and due_at >= ${from} order by due_at limit 1`;

export const EVENTS = rowQueue('events', sql<SqlBool>`done_at is null`);
export const TASKS = rowQueue('tasks', sql<SqlBool>`due_at < ${sql.lit(NEVER)}`);

/** Returns the number of waiting rows of a queue, and the due time of the oldest. */
export async function stateOf(executor: ReadExecutor, queue: RowQueue): Promise<QueueState> {
  const open = sql`${sql.table(queue.name)} where ${queue.open}`;
  const { rows } = await sql<QueueState>`
    select (select count(*) from (select 1 from ${open} limit ${MAX_COUNTED}) as counted) as waiting,
      (${firstDue(queue, sql.lit(0))}) as "oldestDueAt"`.execute(executor);
  return rows[0] ?? { waiting: 0, oldestDueAt: null };
}

interface Chosen {
  readonly now: number;
  readonly limit: number;
  readonly except?: readonly string[];
  readonly only?: readonly string[];
}

/** Returns due rows, oldest first: all except those in `except`, or only those in `only`. */
export async function dueIds(executor: ReadExecutor, queue: RowQueue, { now, limit, except, only }: Chosen) {
  if (only?.length === 0) return [];
  const chosen = only ? whereIn(executor, 'id', only) : sql<SqlBool>`id not in ${unnest(executor, except ?? [])}`;
  const { rows } = await sql<{ id: string; due_at: number }>`
    select id, due_at from ${sql.table(queue.name)} where ${queue.open} and due_at <= ${now} and ${chosen}
    order by due_at, id limit ${limit}`.execute(executor);
  return rows;
}

/** Returns the ids of the rows that are unfinished. */
export async function openIds(executor: ReadExecutor, queue: RowQueue, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(queue.name)} where ${queue.open} and ${whereIn(executor, 'id', ids)}`.execute(executor);
  return rows.map(({ id }) => id);
}

/** Returns the due time of the first row of a queue that is due from a time on, if any. */
export async function firstDueAt(executor: ReadExecutor, queue: RowQueue, from: number): Promise<number | undefined> {
  const [first] = await queue.firstDue(executor, { from });
  return first?.due_at;
}

/** Locks a due row; returns its number of failures, undefined if the row is not due or another process has locked it. */
export async function lockDueAttempts(
  tx: Executor,
  queue: RowQueue,
  id: string,
  now: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ attempts: number }>`
    select attempts from ${sql.table(queue.name)} where id = ${id} and ${queue.open} and due_at <= ${now}
    ${forUpdateSkipLocked(tx)}`.execute(tx);
  return rows[0]?.attempts;
}

export async function setDue(
  tx: Executor,
  queue: RowQueue,
  id: string,
  { attempts, dueAt }: { readonly attempts: number; readonly dueAt: number },
): Promise<void> {
  await sql`update ${sql.table(queue.name)} set attempts = ${attempts}, due_at = ${dueAt} where id = ${id}`.execute(tx);
}

/** Makes rows due earlier by this many milliseconds, but not before `now`; rows due after `until` are unchanged. */
export async function shiftDue(
  tx: Executor,
  queue: RowQueue,
  { now, byMs, until = NEVER }: { readonly now: number; readonly byMs: number; readonly until?: number },
): Promise<void> {
  await sql`
    update ${sql.table(queue.name)}
    set due_at = case when due_at - ${byMs} > ${now} then due_at - ${byMs} else ${now} end
    where ${queue.open} and due_at > ${now} and due_at <= ${until}`.execute(tx);
}
