import { type GroupEvent, hasAccess, haveSameView, type MembershipEvent } from '../../access/index.ts';
import type { AccountEvent } from '../../accounts/index.ts';
import type { ThreadEvent } from '../../comments/index.ts';
import type { PurgeEvent } from '../../organizations/index.ts';
import { advisoryLock } from '../../platform/database/transaction.ts';
import { AGAIN, type Reaction } from '../../platform/events/reaction.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { deleteLeftovers } from './delete-leftovers.ts';
import { deleteUnhandledRequests, deleteUnreachableOfRepo, deleteUnreachableOfUsers } from './delete-unreachable.ts';

export type CleanUp = ReturnType<typeof createCleanUp>;

/**
 * Deletes notifications after the deletion of what they are about, and after a loss of access to it: a page per call. What
 * locks a repository, paper, post or article waits for the fan-out of its activities, and then sees all of their rows.
 */
export function createCleanUp({ inboxes }: { readonly inboxes: Inboxes }) {
  const onRepoEvent: Reaction<RepoEvent> = async (tx, event, after = '') => {
    const { scope, action, repo, payload } = event.data;
    const deleted = scope === 'repo' && action === 'delete';
    const becamePrivate = scope === 'repo.config' && payload.updatedConfig?.private === true;
    if (!deleted && !becamePrivate && action !== 'move') return undefined;
    await advisoryLock(tx, repo.id);
    if (action === 'move') await deleteUnhandledRequests(tx, inboxes, repo.id);
    return deleted
      ? deleteLeftovers(tx, inboxes, 'source_id', repo.id)
      : deleteUnreachableOfRepo(tx, inboxes, repo.id, after);
  };

  const onDiscussionEvent: Reaction<RepoEvent> = async (tx, event) => {
    const { scope, action, repo, payload } = event.data;
    if (scope !== 'discussion' || action !== 'delete') return undefined;
    await advisoryLock(tx, repo.id);
    return deleteLeftovers(tx, inboxes, 'thread_id', payload.discussion?.id ?? '');
  };

  /** Handles the topic `thread`: a paper, a post or an article. */
  const onThreadEvent: Reaction<ThreadEvent> = async (tx, event) => {
    const { action, thread } = event.data;
    if (action !== 'delete') return undefined;
    await advisoryLock(tx, thread.id);
    return deleteLeftovers(tx, inboxes, 'thread_id', thread.id);
  };

  /** Handles the topic `membership`: deletes what the user has of the organization and may not read or decide any more. */
  const onMembershipEvent: Reaction<MembershipEvent> = async (tx, event) => {
    const { orgId, userId, role, before } = event.data;
    if (hasAccess(role) && haveSameView(role, before)) return undefined;
    return deleteUnreachableOfUsers(tx, inboxes, [userId], ['r.owner_id', orgId]);
  };

  /** Handles the topic `group`: users who left a resource group, or repositories that moved to another one. */
  const onGroupEvent: Reaction<GroupEvent> = async (tx, event, after = '') => {
    const { groupId, repoIds = [], userIds } = event.data;
    if (userIds) return deleteUnreachableOfUsers(tx, inboxes, userIds, ['r.resource_group_id', groupId]);
    const [at = '0', ...cursor] = after.split(' ');
    const repoId = repoIds[Number(at)];
    if (repoId === undefined) return undefined;
    await advisoryLock(tx, repoId);
    const next = await deleteUnreachableOfRepo(tx, inboxes, repoId, cursor.join(' '));
    return next === undefined ? `${Number(at) + 1}` : `${at} ${next}`;
  };

  /** Handles the topic `account`: posts and articles are deleted with their author, repositories have events of their own. */
  const onAccountEvent: Reaction<AccountEvent> = async (tx, event) => {
    const { action, accountId } = event.data;
    return action === 'delete' ? deleteLeftovers(tx, inboxes, 'source_id', accountId) : undefined;
  };

  /** Handles the topic `purge`: few notifications are left, as most were suspended and deleted with their organization. */
  const onPurgeEvent: Reaction<PurgeEvent> = async (tx, event) => {
    for (const repoId of event.data.repoIds)
      if ((await deleteLeftovers(tx, inboxes, 'source_id', repoId)) === AGAIN) return AGAIN;
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
