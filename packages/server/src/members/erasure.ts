import { type Memberships, membershipsOf } from '../access/index.ts';
import { type Account, accountTopic, deleteAccount, requireASiteAdmin } from '../accounts/index.ts';
import { type AuditLog, recordForSite } from '../audit-log/index.ts';
import { withdrawUpvotesOf } from '../collections/index.ts';
import { deleteLikesOf } from '../likes/index.ts';
import { afterCommit, type Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Signals } from '../platform/queue/signals.ts';
import { type Posts, postsOf } from '../posts/index.ts';
import { type Repositories, reposOwnedBy } from '../repositories/index.ts';
import { deleteInvitationsTo } from './invitation-store.ts';

interface Dependencies {
  readonly repositories: Repositories;
  readonly posts: Posts;
  readonly memberships: Memberships;
  readonly events: Events;
  readonly audit: AuditLog;
  /** Makes open streams of a user look their caller up again. */
  readonly callers: Signals;
}

export type Erase = ReturnType<typeof createErase>;

/**
 * Deletes a user with repositories, posts, articles, collections and memberships, without checking permissions. The transaction
 * fails with 409 if the user was the only admin of an organization or the last enabled site administrator.
 */
export function createErase({ repositories, posts, memberships, events, audit, callers }: Dependencies) {
  return async function erase(tx: Executor, caller: Caller, user: Account): Promise<void> {
    const { id, name } = user;
    await deleteLikesOf(tx, id);
    for (const repo of await reposOwnedBy(tx, id)) await repositories.remove(tx, caller, repo);
    for (const post of await postsOf(tx, id)) await posts.remove(tx, caller, post);
    for (const { id: orgId } of await membershipsOf(tx, id))
      await memberships.remove(tx, caller, { orgId, userId: id });
    await withdrawUpvotesOf(tx, id);
    await deleteInvitationsTo(tx, id);
    await deleteAccount(tx, id);
    if (user.site_admin === 1) requireASiteAdmin(tx);
    await events.record(tx, accountTopic, { action: 'delete', accountId: id, kind: 'user', before: name });
    const data = { user: { _id: id, user: name } };
    await recordForSite(audit, tx, caller, { type: 'user.delete', message: `Deleted the user ${name}`, data });
    afterCommit(tx, () => callers.send([id]));
  };
}
