import { sql } from 'kysely';
import { asText, jsonRows } from '../../platform/database/packed/json-rows.ts';
import { immediateValues } from '../../platform/database/prepared.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { type JsonText, parseJson } from '../../platform/stored-form.ts';
import { NOTIFICATION_COLUMNS } from '../tables.ts';
import type { Filter } from './filter.ts';
import { filterConditions, shapeOf, valuesOf } from './filter-conditions.ts';

/** The user whose notifications are changed; with `viewer` only those that this token reaches. */
export interface Owner {
  readonly userId: string;
  readonly viewer: Principal | undefined;
}

/** A notification of one user, with what its place in the list follows from. */
export type Position = [threadId: string, updatedAt: number, read: 0 | 1];

/**
 * Returns the next notifications that match, the latest update first. A notification that is updated meanwhile moves before
 * the position reached, and is left as it is.
 */
export async function nextBatch(
  tx: Executor,
  { userId, viewer }: Owner,
  filter: Filter,
  read: 0 | 1 | undefined,
  { after, limit }: { readonly after: Position | undefined; readonly limit: number },
): Promise<Position[]> {
  const where = filterConditions(tx, shapeOf(filter), immediateValues(valuesOf(userId, filter)), viewer);
  const [afterId, afterAt] = after ?? [];
  const beyond =
    after && sql`and n.updated_at <= ${afterAt} and (n.updated_at < ${afterAt} or n.thread_id > ${afterId})`;
  const columns = ['next.thread_id', 'next.updated_at', 'next.read'];
  const { rows } = await sql<{ batch: JsonText<Position[]> }>`
    select ${asText(tx, jsonRows<Position>(tx, columns))} as batch from (
      select n.thread_id, n.updated_at, n.read from notifications n
      where ${where} ${read === undefined ? sql`` : sql`and n.read = ${sql.lit(read)}`} ${beyond ?? sql``}
      order by n.updated_at desc, n.thread_id limit ${limit}
    ) as next
  `.execute(tx);
  const batch = parseJson<Position[]>(rows[0]?.batch ?? '[]');
  return batch.sort(([a, atA], [b, atB]) => atB - atA || (a < b ? -1 : 1));
}

/**
 * Selects notifications of one user by pairs of user and thread: with `user_id = …`, the query planner would choose an
 * index over all notifications of the user.
 */
const ofUser = (tx: Executor, userId: string, threadIds: readonly string[]) => sql<boolean>`(user_id, thread_id) in (
  select cast(${userId} as text), value from ${unnest(tx, threadIds)} as threads
)`;

/** Moves notifications of a user whose inbox is locked to the done ones. */
export async function moveToDone(tx: Executor, userId: string, threadIds: readonly string[]): Promise<void> {
  const columns = sql.join(NOTIFICATION_COLUMNS.map((column) => sql.ref(column)));
  const changes = NOTIFICATION_COLUMNS.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  await sql`
    insert into done_notifications (${columns})
    select ${columns} from notifications where ${ofUser(tx, userId, threadIds)}
    on conflict (user_id, thread_id) do update set ${sql.join(changes)}
  `.execute(tx);
  await tx
    .deleteFrom('notifications')
    .where(ofUser(tx, userId, threadIds))
    .execute();
}

/** Marks notifications of a user whose inbox is locked. */
export async function markOfUser(
  tx: Executor,
  userId: string,
  threadIds: readonly string[],
  read: boolean,
): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ read: sql.lit(read ? 1 : 0) })
    .where(ofUser(tx, userId, threadIds))
    .execute();
}
