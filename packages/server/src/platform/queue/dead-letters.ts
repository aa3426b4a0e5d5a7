import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { DeadLetterRow, QueueName } from '../database/tables.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../database/transaction.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../logger.ts';
import { MAX_COUNTED } from './state.ts';

/** An item that fails so often is set aside, and one that was in hand when so many processes died. */
export const MAX_FAILURES = 5;
export const MAX_DEATHS = 3;

const QUEUES: readonly QueueName[] = ['events', 'tasks', 'deliveries', 'mails', 'jobs', 'scheduled-jobs'];

/** How a queue takes an item out of its line, and what can become of the item then. */
export interface DeadLetterQueue {
  /** Takes the item out of its line; returns what it is, undefined where it is there no more. */
  setAside(tx: Executor, id: string, cause: Cause): Promise<Described | undefined>;
  /** Puts the item back as if it had never failed; returns false where it is there no more. */
  retry(tx: Executor, id: string): Promise<boolean>;
  /** Gives the item up for good. */
  discard(tx: Executor, id: string): Promise<void>;
}

export type DeadLetterQueues = Readonly<Record<QueueName, DeadLetterQueue>>;

/** Why an item is set aside; `error` is bounded and free of secrets. */
export interface Cause {
  readonly error: string;
  readonly failures: number;
  readonly deaths: number;
}

interface Described {
  readonly kind: string;
  readonly createdAt: number;
}

/** Sets an item aside, in the transaction that counts its last failure. */
export type SetAside = (tx: Executor, queue: QueueName, id: string, cause: Cause) => Promise<void>;

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly queues: DeadLetterQueues;
}

/** An item that is set aside once more keeps its one row. */
export function createSetAside({ clock, ids, logger, queues }: Dependencies): SetAside {
  return async (tx, queue, itemId, { error, failures, deaths }) => {
    const item = await queues[queue].setAside(tx, itemId, { error, failures, deaths });
    if (!item) return;
    const row = { id: ids(), queue, item_id: itemId, kind: item.kind, created_at: item.createdAt };
    const news = { error, failures, deaths, set_aside_at: clock.now() };
    await tx
      .insertInto('dead_letters')
      .values({ ...row, ...news })
      .onConflict((conflict) => conflict.columns(['queue', 'item_id']).doUpdateSet(news))
      .execute();
    logger.error(
      { queue, itemId, kind: item.kind, error, failures, deaths },
      'an item is set aside: a site administrator has to retry or discard it',
    );
  };
}

/** The condition that the item of that id, a column, is not set aside. */
export const isNotSetAside = (queue: QueueName, id: string): RawBuilder<SqlBool> => sql<SqlBool>`not exists (
  select 1 from dead_letters where dead_letters.queue = ${sql.lit(queue)} and dead_letters.item_id = ${sql.ref(id)}
)`;

/** How many items each queue has set aside, 10,000 at most in all. */
export async function countDeadLetters(executor: ReadExecutor): Promise<ReadonlyMap<QueueName, number>> {
  const { rows } = await sql<{ queue: QueueName; count: number }>`
    select queue, count(*) as count from (select queue from dead_letters limit ${MAX_COUNTED}) as counted
    group by queue`.execute(executor);
  return new Map(QUEUES.map((queue) => [queue, rows.find((row) => row.queue === queue)?.count ?? 0]));
}

/** What is set aside, of all queues or of one, newest first: those before an id, `limit` at the most. */
export function listDeadLetters(
  executor: ReadExecutor,
  queue: QueueName | undefined,
  before: string | undefined,
  limit: number,
): Promise<DeadLetterRow[]> {
  let query = executor.selectFrom('dead_letters').selectAll();
  if (queue !== undefined) query = query.where('queue', '=', queue);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Deletes a dead letter; returns what it said, undefined where it is gone. */
export async function takeDeadLetter(tx: Executor, id: string): Promise<DeadLetterRow | undefined> {
  const row = await tx
    .selectFrom('dead_letters')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(forUpdateOf(tx, 'dead_letters'))
    .executeTakeFirst();
  if (row) await tx.deleteFrom('dead_letters').where('id', '=', id).execute();
  return row;
}

/** Forgets that an item was set aside: it succeeded after all. */
export async function forgetDeadLetter(tx: Executor, queue: QueueName, itemId: string): Promise<void> {
  await tx.deleteFrom('dead_letters').where('queue', '=', queue).where('item_id', '=', itemId).execute();
}
