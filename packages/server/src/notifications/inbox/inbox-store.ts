import { sql } from 'kysely';
import { tuplesOf } from '../../platform/database/packed/json-values.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';

/** Locks the inboxes of users until the transaction ends, in the order of ids, and creates missing ones. */
export async function lockInboxes(tx: Executor, userIds: readonly string[]): Promise<void> {
  await sql`
    insert into inboxes (user_id, all_count, unread_count, version)
    select value, 0, 0, 1 from ${unnest(tx, userIds)} as held where true order by value
    on conflict (user_id) do update set version = inboxes.version + 1
  `.execute(tx);
}

/** How the counters of a user's inbox change. */
export interface CounterChange {
  readonly userId: string;
  readonly all: number;
  readonly unread: number;
}

/** Adds to the counters of locked inboxes. */
export async function changeCounters(tx: Executor, changes: readonly CounterChange[]): Promise<void> {
  const tuples = changes.flatMap(({ userId, all, unread }) => (all || unread ? [[userId, all, unread]] : []));
  if (tuples.length === 0) return;
  await sql`
    update inboxes set all_count = all_count + shift.of_all, unread_count = unread_count + shift.of_unread
    from ${tuplesOf(tx, JSON.stringify(tuples), ['of_user', 'of_all', 'of_unread'])} as shift
    where inboxes.user_id = shift.of_user
  `.execute(tx);
}

const versionIn = prepared<{ userId: string }>()((executor, argument) =>
  executor.selectFrom('inboxes').select('version').where('user_id', '=', argument('userId')),
);

/** Returns a number that grows with each change of an inbox; undefined for a user without an inbox. */
export const inboxVersion = async (executor: ReadExecutor, userId: string): Promise<number | undefined> =>
  (await versionIn(executor, { userId }))[0]?.version;
