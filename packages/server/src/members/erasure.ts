import { type Memberships, membershipsOf } from '../access/index.ts';
import { type Account, type AccountEvent, deleteAccount } from '../accounts/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/record.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { type Posts, postsOf } from '../posts/index.ts';
import { type Repositories, reposOwnedBy } from '../repositories/index.ts';

interface Dependencies {
  readonly repositories: Repositories;
  readonly posts: Posts;
  readonly memberships: Memberships;
  readonly events: Events;
}

export type Erase = ReturnType<typeof createErase>;

/**
 * Removes a user with repositories, posts, articles and memberships, without asking who may. The transaction ends with
 * 409 where the user was the only admin of an organization.
 */
export function createErase({ repositories, posts, memberships, events }: Dependencies) {
  return async function erase(tx: Executor, caller: Caller, { id, name }: Pick<Account, 'id' | 'name'>): Promise<void> {
    for (const repo of await reposOwnedBy(tx, id)) await repositories.remove(tx, caller, repo);
    for (const post of await postsOf(tx, id)) await posts.remove(tx, caller, post);
    for (const { id: orgId } of await membershipsOf(tx, id))
      await memberships.remove(tx, caller, { orgId, userId: id });
    await deleteAccount(tx, id);
    const gone: AccountEvent = { action: 'delete', accountId: id, kind: 'user', before: name };
    await events.record(tx, 'account', gone);
  };
}
