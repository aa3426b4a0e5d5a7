import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';
import type { Inboxes, Shift } from '../inbox/inboxes.ts';

/** How many of what is taken away, hidden or forgotten a transaction handles. */
export const PAGE = 500;

/** Names one notification. */
export interface Key {
  readonly thread_id: string;
  readonly user_id: string;
}

/** The condition that a row is one of those named. */
export const named = (tx: Executor, keys: readonly Key[]): RawBuilder<boolean> => sql<boolean>`(user_id, thread_id) in (
  select substr(value, 25), substr(value, 1, 24)
  from ${unnest(
    tx,
    keys.map((key) => key.thread_id + key.user_id),
  )} as keys
)`;

/** What rows that came (1) or went (-1) do to the counters of their users. */
export function shiftsOf(rows: readonly { user_id: string; read: number }[], sign: 1 | -1): Shift[] {
  const shifts = new Map<string, Shift>();
  for (const { user_id: userId, read } of rows) {
    const { all, unread } = shifts.get(userId) ?? { all: 0, unread: 0 };
    shifts.set(userId, { userId, all: all + sign, unread: unread + (read === 0 ? sign : 0) });
  }
  return [...shifts.values()];
}

/** Deletes notifications of any users, with their counts. */
export async function deleteNotifications(tx: Executor, inboxes: Inboxes, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return;
  await inboxes.hold(tx, [...new Set(keys.map(({ user_id }) => user_id))]);
  const { rows } = await sql<{ user_id: string; read: number }>`
    delete from notifications where ${named(tx, keys)} returning user_id, read
  `.execute(tx);
  await inboxes.shift(tx, shiftsOf(rows, -1));
}

/** Names notifications of one user: looked up one by one, also where the engine would go through an index of all. */
const ofUser = (tx: Executor, userId: string, threadIds: readonly string[]) => sql`
  where (user_id, thread_id) in (
    select cast(${userId} as text), value from ${unnest(tx, threadIds)} as threads
  )`;

/** Deletes notifications of a user whose inbox is held. */
export async function deleteNotificationsOf(tx: Executor, userId: string, threadIds: readonly string[]): Promise<void> {
  await sql`delete from notifications ${ofUser(tx, userId, threadIds)}`.execute(tx);
}

/** Marks notifications of a user whose inbox is held. */
export async function markOf(tx: Executor, userId: string, threadIds: readonly string[], read: boolean): Promise<void> {
  await sql`update notifications set read = ${sql.lit(read ? 1 : 0)} ${ofUser(tx, userId, threadIds)}`.execute(tx);
}
