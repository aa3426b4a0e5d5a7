import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';
import { PAGE } from './page-size.ts';

/** The key of one notification. */
export interface NotificationKey {
  readonly thread_id: string;
  readonly user_id: string;
}

/** The user of a notification, and whether it was read: what counters depend on. */
export interface CountedNotification {
  readonly user_id: string;
  readonly read: number;
}

/** Returns the condition that a row has one of the keys. A key is one text of two ids with 24 characters each. */
export const hasKey = (
  tx: Executor,
  keys: readonly NotificationKey[],
): RawBuilder<SqlBool> => sql<SqlBool>`(user_id, thread_id) in (
  select substr(value, 25), substr(value, 1, 24)
  from ${unnest(
    tx,
    keys.map((key) => key.thread_id + key.user_id),
  )} as keys
)`;

export const deleteByKey = (tx: Executor, keys: readonly NotificationKey[]): Promise<CountedNotification[]> =>
  tx.deleteFrom('notifications').where(hasKey(tx, keys)).returning(['user_id', 'read']).execute();

/** Selects notifications by thread or by source. */
export type Column = 'thread_id' | 'source_id';

/** Returns the keys of a page of notifications. */
export const keysOf = (tx: Executor, column: Column, id: string): Promise<NotificationKey[]> =>
  tx.selectFrom('notifications').select(['thread_id', 'user_id']).where(column, '=', id).limit(PAGE).execute();

/** Deletes a page of the rows of a thread or source; returns how many were deleted. */
export async function deletePage(
  tx: Executor,
  table: 'thread_participants' | 'done_notifications',
  column: Column,
  id: string,
): Promise<number> {
  const { rows } = await sql<NotificationKey>`
    delete from ${sql.table(table)} where (thread_id, user_id) in (
      select thread_id, user_id from ${sql.table(table)} where ${sql.ref(column)} = ${id} limit ${PAGE}
    ) returning thread_id, user_id
  `.execute(tx);
  return rows.length;
}
