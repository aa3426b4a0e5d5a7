import { type SqlBool, sql } from 'kysely';
import { mayReadIfEnabled, repoColumns } from '../../access/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { concernsUser } from '../inbox/request-conditions.ts';
import { NOTIFICATION_COLUMNS } from '../tables.ts';
import { type CountedNotification, hasKey, type NotificationKey } from './notification-store.ts';
import { PAGE } from './page-size.ts';

/** Returns the keys of a page of notifications about repositories of an organization, in inboxes or suspended. */
export const keysOfOrganization = (
  tx: Executor,
  table: 'notifications' | 'hidden_notifications',
  orgId: string,
): Promise<NotificationKey[]> =>
  tx
    .selectFrom('repositories')
    .innerJoin(`${table} as n`, 'n.source_id', 'repositories.id')
    .select(['n.thread_id', 'n.user_id'])
    .where('repositories.owner_id', '=', orgId)
    .limit(PAGE)
    .execute();

/** Copies notifications to the suspended ones. */
export async function copyToSuspended(tx: Executor, keys: readonly NotificationKey[]): Promise<void> {
  await tx
    .insertInto('hidden_notifications')
    .columns([...NOTIFICATION_COLUMNS])
    .expression(tx.selectFrom('notifications').select(NOTIFICATION_COLUMNS).where(hasKey(tx, keys)))
    .onConflict((conflict) => conflict.columns(['user_id', 'thread_id']).doNothing())
    .execute();
}

/** Copies suspended notifications back to the inboxes of users who may still read their discussions; returns the copies. */
export const copyFromSuspended = (tx: Executor, keys: readonly NotificationKey[]): Promise<CountedNotification[]> =>
  tx
    .insertInto('notifications')
    .columns([...NOTIFICATION_COLUMNS])
    .expression(
      tx
        .selectFrom('hidden_notifications')
        .select(NOTIFICATION_COLUMNS)
        .where(hasKey(tx, keys))
        .where(
          sql<SqlBool>`exists (
            select 1 from repositories where repositories.id = hidden_notifications.source_id
              and ${mayReadIfEnabled(repoColumns, sql.ref('hidden_notifications.user_id'))}
              and ${concernsUser('hidden_notifications', 'repositories.owner_id')}
              and (hidden_notifications.thread_id = repositories.id
                or exists (select 1 from discussions where discussions.id = hidden_notifications.thread_id))
          )`,
        ),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'thread_id']).doNothing())
    .returning(['user_id', 'read'])
    .execute();

export async function deleteSuspended(tx: Executor, keys: readonly NotificationKey[]): Promise<void> {
  await tx.deleteFrom('hidden_notifications').where(hasKey(tx, keys)).execute();
}
