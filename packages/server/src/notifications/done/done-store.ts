import { type RawBuilder, sql } from 'kysely';
import { readableBy, repoColumnsOf } from '../../access/index.ts';
import { immediateValues } from '../../platform/database/prepared.ts';
import { advisoryLockShared, type Executor, type ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { type CountedNotification, hasKey } from '../clean-up/notification-store.ts';
import type { Filter } from '../inbox/filter.ts';
import { filterConditions, shapeOf, valuesOf } from '../inbox/filter-conditions.ts';
import type { StoredNotification } from '../inbox/page-store.ts';
import { concernsUser } from '../inbox/request-conditions.ts';
import { WATCHES } from '../inbox/subject.ts';
import { NOTIFICATION_COLUMNS } from '../tables.ts';

/**
 * Returns the conditions on `done_notifications n`: the filter matches, the principal may read what the notification is about,
 * and the inbox has no notification of the same thread, which would be newer.
 */
function doneConditions(executor: ReadExecutor, principal: Principal, filter: Filter): RawBuilder<boolean> {
  const values = immediateValues(valuesOf(principal.userId, filter));
  const repo = repoColumnsOf('s');
  return sql<boolean>`${filterConditions(executor, shapeOf(filter), values)}
    and not exists (select 1 from notifications newer where newer.user_id = n.user_id and newer.thread_id = n.thread_id)
    and (n.subject in ('paper', 'post', 'community_blog') or exists (
      select 1 from repositories s where s.id = n.source_id
        and ${readableBy(repo, principal)} and ${concernsUser('n', 's.owner_id')}
    ))`;
}

/** Returns a page of the notifications with which a user is done, the latest update first, and how many match. */
export async function findDone(
  executor: ReadExecutor,
  principal: Principal,
  filter: Filter,
  { start, limit }: { readonly start: number; readonly limit: number },
): Promise<{ rows: StoredNotification[]; view: number }> {
  const where = doneConditions(executor, principal, filter);
  const page = await sql<Omit<StoredNotification, 'read'> & { read: number }>`
    select k.thread_id as "threadId", k.updated_at as "updatedAt", k.read, k.event_id as "eventId",
      coalesce(shown.body, '') as preview
    from (
      select n.thread_id, n.updated_at, n.read, n.event_id from done_notifications n where ${where}
      order by n.updated_at desc, n.thread_id limit ${limit} offset ${start}
    ) as k
    left join shown_threads shown on shown.thread_id = k.thread_id
    order by k.updated_at desc, k.thread_id
  `.execute(executor);
  const count = await sql<{ view: number }>`
    select count(*) as view from done_notifications n where ${where}
  `.execute(executor);
  return { rows: page.rows.map((row) => ({ ...row, read: row.read === 1 })), view: count.rows[0]?.view ?? 0 };
}

/** Returns those of some threads with which a user is done, and waits with the reactions that delete notifications of them. */
export async function lockDone(tx: Executor, principal: Principal, threadIds: readonly string[]): Promise<string[]> {
  const where = doneConditions(tx, principal, { unread: false, involvement: WATCHES, threadIds });
  const { rows } = await sql<{ threadId: string; sourceId: string; ownerId: string | null }>`
    select n.thread_id as "threadId", n.source_id as "sourceId", r.owner_id as "ownerId"
    from done_notifications n left join repositories r on r.id = n.source_id where ${where}
  `.execute(tx);
  const locks = new Set(
    rows.flatMap(({ threadId, sourceId, ownerId }) => [threadId, sourceId, ...(ownerId === null ? [] : [ownerId])]),
  );
  await advisoryLockShared(tx, [...locks].sort());
  return rows.map(({ threadId }) => threadId);
}

/** Moves notifications of a user whose inbox is locked back to it, where the user may read them still; returns them. */
export async function moveFromDone(
  tx: Executor,
  principal: Principal,
  threadIds: readonly string[],
): Promise<CountedNotification[]> {
  const keys = threadIds.map((thread_id) => ({ thread_id, user_id: principal.userId }));
  const columns = NOTIFICATION_COLUMNS.map((column) => sql.ref(column));
  const where = doneConditions(tx, principal, { unread: false, involvement: WATCHES, threadIds });
  const { rows } = await sql<CountedNotification>`
    insert into notifications (${sql.join(columns)})
    select ${sql.join(columns)} from done_notifications n where ${where}
    on conflict (user_id, thread_id) do nothing
    returning user_id, read
  `.execute(tx);
  await tx.deleteFrom('done_notifications').where(hasKey(tx, keys)).execute();
  return rows;
}
