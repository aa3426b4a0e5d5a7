import { sql } from 'kysely';
import { entitled, repoColumns, settingsOf } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { OrganizationEvent } from '../../organizations/index.ts';
import { advisoryLock, type Executor } from '../../platform/database/transaction.ts';
import { AGAIN, type Reaction } from '../../platform/events/reaction.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { deleteNotifications, type Key, named, PAGE, shiftsOf } from './delete-notifications.ts';

const COLUMNS = sql`thread_id, user_id, subject, source_id, involvement, updated_at, read, activity_id, event_id`;

/**
 * The topic `organization`: what inboxes have of a deleted organization is set aside, with its counts, and put back when
 * it is restored. What holds now decides, under the lock of the organization, so that the order of events does not
 * matter.
 */
export function createSuspension({ inboxes }: { readonly inboxes: Inboxes }): Reaction<OrganizationEvent> {
  return async (tx, event) => {
    const { orgId } = event.data;
    // What is being told of it meanwhile is there then.
    await advisoryLock(tx, orgId);
    await lockAccount(tx, orgId);
    const isDeleted = (await settingsOf(tx, orgId)).deleted_at !== null;
    const keys = await pageOf(tx, isDeleted ? 'notifications' : 'hidden_notifications', orgId);
    if (keys.length > 0) await (isDeleted ? suspend(tx, keys) : restore(tx, keys));
    return keys.length === PAGE ? AGAIN : undefined;
  };

  async function suspend(tx: Executor, keys: readonly Key[]): Promise<void> {
    await sql`
      insert into hidden_notifications (${COLUMNS}) select ${COLUMNS} from notifications where ${named(tx, keys)}
      on conflict (user_id, thread_id) do nothing
    `.execute(tx);
    await deleteNotifications(tx, inboxes, keys);
  }

  /** What has news since stays as it is; what is gone, or may not be read any more, is forgotten. */
  async function restore(tx: Executor, keys: readonly Key[]): Promise<void> {
    await inboxes.hold(tx, [...new Set(keys.map(({ user_id }) => user_id))]);
    const { rows } = await sql<{ user_id: string; read: number }>`
      insert into notifications (${COLUMNS}) select ${COLUMNS} from hidden_notifications where ${named(tx, keys)}
      and exists (
        select 1 from discussions join repositories on repositories.id = discussions.repo_id
        where discussions.id = thread_id and ${entitled(repoColumns, sql.ref('hidden_notifications.user_id'))}
      )
      on conflict (user_id, thread_id) do nothing returning user_id, read
    `.execute(tx);
    await sql`delete from hidden_notifications where ${named(tx, keys)}`.execute(tx);
    await inboxes.shift(tx, shiftsOf(rows, 1));
  }
}

const pageOf = (tx: Executor, table: 'notifications' | 'hidden_notifications', orgId: string): Promise<Key[]> =>
  tx
    .selectFrom('repositories')
    .innerJoin(`${table} as n`, 'n.source_id', 'repositories.id')
    .select(['n.thread_id', 'n.user_id'])
    .where('repositories.owner_id', '=', orgId)
    .limit(PAGE)
    .execute();
