import { sql } from 'kysely';
import { type GroupEvent, granted, known, type MembershipEvent } from '../../access/index.ts';
import type { AccountEvent } from '../../accounts/index.ts';
import type { ThreadEvent } from '../../comments/index.ts';
import type { PurgeEvent } from '../../organizations/index.ts';
import { advisoryLock, type Executor, isPostgres } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { AGAIN, type Reaction } from '../../platform/events/reaction.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { deleteNotifications, type Key, PAGE } from './delete-notifications.ts';

/** Deletes what is left of a thread or a source: a page of it. */
type Clean = (tx: Executor, column: 'thread_id' | 'source_id', id: string) => Promise<string | undefined>;

export type Removal = ReturnType<typeof createRemoval>;

/** What takes notifications away: the loss of access, and the deletion of what they are about. Each does a page. */
export function createRemoval({ inboxes }: { readonly inboxes: Inboxes }) {
  const clean: Clean = async (tx, column, id) => {
    const keys = await tx
      .selectFrom('notifications')
      .select(['thread_id', 'user_id'])
      .where(column, '=', id)
      .limit(PAGE)
      .execute();
    await deleteNotifications(tx, inboxes, keys);
    const { rows } = await sql<Key>`
      delete from thread_participants where (thread_id, user_id) in (
        select thread_id, user_id from thread_participants where ${sql.ref(column)} = ${id} limit ${PAGE}
      ) returning thread_id, user_id
    `.execute(tx);
    return keys.length === PAGE || rows.length === PAGE ? AGAIN : undefined;
  };

  /** What those have of a private repository who may not read it, a page of all that anybody has of it. */
  async function cleanUnreadable(tx: Executor, repoId: string, after: string): Promise<string | undefined> {
    const repo = await tx
      .selectFrom('repositories')
      .select(['private', 'owner_id as ownerId', 'resource_group_id as groupId'])
      .where('id', '=', repoId)
      .executeTakeFirst();
    if (!repo) return clean(tx, 'source_id', repoId);
    if (repo.private === 0) return undefined;
    const [user = '', thread = '', at = '0'] = after.split(' ');
    const page = await tx
      .selectFrom('notifications')
      .select(['user_id', 'thread_id', 'updated_at'])
      .select(
        sql<number>`case when ${granted(known({ ...repo, private: true }), sql.ref('notifications.user_id'))} then 1 else 0 end`.as(
          'readable',
        ),
      )
      .where('source_id', '=', repoId)
      .where('user_id', '>=', user)
      .where(
        sql<boolean>`(user_id > ${user} or updated_at < ${Number(at)} or (updated_at = ${Number(at)} and thread_id > ${thread}))`,
      )
      .orderBy('user_id')
      .orderBy('updated_at', 'desc')
      .orderBy('thread_id')
      .limit(PAGE)
      .execute();
    await deleteNotifications(
      tx,
      inboxes,
      page.filter((row) => row.readable === 0),
    );
    const last = page.at(-1);
    return page.length < PAGE || !last ? undefined : `${last.user_id} ${last.thread_id} ${last.updated_at}`;
  }

  const onRepoEvent: Reaction<RepoEvent> = async (tx, event, after = '') => {
    const { scope, action, repo, payload } = event.data;
    const deleted = scope === 'repo' && action === 'delete';
    const becamePrivate = scope === 'repo.config' && payload.updatedConfig?.private === true;
    if (!deleted && !becamePrivate && action !== 'move') return undefined;
    await advisoryLock(tx, repo.id);
    return deleted ? clean(tx, 'source_id', repo.id) : cleanUnreadable(tx, repo.id, after);
  };

  const onDiscussionEvent: Reaction<RepoEvent> = async (tx, event) => {
    const { scope, action, repo, payload } = event.data;
    if (scope !== 'discussion' || action !== 'delete') return undefined;
    await advisoryLock(tx, repo.id);
    return clean(tx, 'thread_id', payload.discussion?.id ?? '');
  };

  /** The topic `thread`: a paper, a post or an article. */
  const onThreadEvent: Reaction<ThreadEvent> = async (tx, event) => {
    const { action, thread } = event.data;
    if (action !== 'delete') return undefined;
    await advisoryLock(tx, thread.id);
    return clean(tx, 'thread_id', thread.id);
  };

  /** Before anything is looked at: what they are being told meanwhile is there then, or not told. */
  async function holdThose(tx: Executor, userIds: readonly string[]): Promise<void> {
    if (!isPostgres(tx)) return;
    const existing = await tx
      .selectFrom('accounts')
      .select('id')
      .where(whereIn(tx, 'id', userIds))
      .execute();
    await inboxes.hold(
      tx,
      existing.map(({ id }) => id),
    );
  }

  /** What users have of private repositories that they may not read: a page of it. */
  async function cleanOfUsers(
    tx: Executor,
    userIds: readonly string[],
    [column, id]: readonly ['r.owner_id' | 'r.resource_group_id', string],
  ): Promise<string | undefined> {
    const facts = {
      private: sql.ref<number>('r.private'),
      ownerId: sql.ref<string>('r.owner_id'),
      groupId: sql.ref<string | null>('r.resource_group_id'),
    };
    await holdThose(tx, userIds);
    const keys = await tx
      .selectFrom('repositories as r')
      .innerJoin('notifications as n', 'n.source_id', 'r.id')
      .select(['n.thread_id', 'n.user_id'])
      .where(column, '=', id)
      .where('r.private', '=', 1)
      .where(whereIn(tx, 'n.user_id', userIds))
      .where(sql<boolean>`not ${granted(facts, sql.ref('n.user_id'))}`)
      .limit(PAGE)
      .execute();
    await deleteNotifications(tx, inboxes, keys);
    return keys.length === PAGE ? AGAIN : undefined;
  }

  /** The topic `membership`: what was in private repositories of the organization, unless the user may read them. */
  const onMembershipEvent: Reaction<MembershipEvent> = async (tx, event) => {
    const { orgId, userId } = event.data;
    return cleanOfUsers(tx, [userId], ['r.owner_id', orgId]);
  };

  /** The topic `group`: what was in repositories that have another group now, or in those of a group that users left. */
  const onGroupEvent: Reaction<GroupEvent> = async (tx, event, after = '') => {
    const { groupId, repoIds = [], userIds } = event.data;
    if (userIds) return cleanOfUsers(tx, userIds, ['r.resource_group_id', groupId]);
    const [at = '0', ...cursor] = after.split(' ');
    const repoId = repoIds[Number(at)];
    if (repoId === undefined) return undefined;
    await advisoryLock(tx, repoId);
    const next = await cleanUnreadable(tx, repoId, cursor.join(' '));
    return next === undefined ? `${Number(at) + 1}` : `${at} ${next}`;
  };

  /** The topic `account`: what an account wrote is gone with it. Its repositories have events of their own. */
  const onAccountEvent: Reaction<AccountEvent> = async (tx, event) => {
    const { action, accountId } = event.data;
    return action === 'delete' ? clean(tx, 'source_id', accountId) : undefined;
  };

  /** The topic `purge`: what is left of repositories, which is little: most of it was set aside, and went with them. */
  const onPurgeEvent: Reaction<PurgeEvent> = async (tx, event) => {
    for (const repoId of event.data.repoIds) if ((await clean(tx, 'source_id', repoId)) === AGAIN) return AGAIN;
    return undefined;
  };

  return {
    onRepoEvent,
    onDiscussionEvent,
    onThreadEvent,
    onMembershipEvent,
    onGroupEvent,
    onAccountEvent,
    onPurgeEvent,
  };
}
