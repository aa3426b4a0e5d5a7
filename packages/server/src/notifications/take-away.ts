import { sql } from 'kysely';
import { listed } from '../platform/database/among.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Inboxes } from './inboxes.ts';

/** Names one notification. */
export interface Key {
  readonly thread_id: string;
  readonly user_id: string;
}

/** Deletes notifications of any users, with their counts. */
export async function takeAway(tx: Executor, inboxes: Inboxes, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return;
  await inboxes.hold(tx, [...new Set(keys.map(({ user_id }) => user_id))]);
  const { rows } = await sql<{ user_id: string; read: number }>`
    delete from notifications where (user_id, thread_id) in (
      select substr(value, 25), substr(value, 1, 24)
      from ${listed(
        tx,
        keys.map((key) => key.thread_id + key.user_id),
      )} as keys
    ) returning user_id, read
  `.execute(tx);
  const shifts = new Map<string, { all: number; unread: number }>();
  for (const { user_id, read } of rows) {
    const { all, unread } = shifts.get(user_id) ?? { all: 0, unread: 0 };
    shifts.set(user_id, { all: all - 1, unread: unread - (read === 0 ? 1 : 0) });
  }
  await inboxes.shift(
    tx,
    [...shifts].map(([userId, shift]) => ({ userId, ...shift })),
  );
}

/** Names notifications of one user: looked up one by one, also where the engine would go through an index of all. */
const ofUser = (tx: Executor, userId: string, threadIds: readonly string[]) => sql`
  where (user_id, thread_id) in (
    select cast(${userId} as text), value from ${listed(tx, threadIds)} as threads
  )`;

/** Deletes notifications of a user whose inbox is held. */
export async function takeAwayOf(tx: Executor, userId: string, threadIds: readonly string[]): Promise<void> {
  await sql`delete from notifications ${ofUser(tx, userId, threadIds)}`.execute(tx);
}

/** Marks notifications of a user whose inbox is held. */
export async function markOf(tx: Executor, userId: string, threadIds: readonly string[], read: boolean): Promise<void> {
  await sql`update notifications set read = ${sql.lit(read ? 1 : 0)} ${ofUser(tx, userId, threadIds)}`.execute(tx);
}
