import { findVisibleOrganization, hasAccess, settingsOf } from '../access/index.ts';
import { type Account, presentUser } from '../accounts/index.ts';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller, ReadingCaller } from '../platform/http/authenticate.ts';
import { idFromCursor, pageFrom } from '../platform/http/pagination.ts';
import { accountNamed } from './account-named.ts';
import { type Followed, followedAmong, listFollowed, listFollowers } from './follower-store.ts';

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export type Followers = ReturnType<typeof createFollowers>;

export const followedUser = ({ id }: Account): Followed => ({ id, kind: 'user', hidesMembers: false });

/** Returns an organization with what the caller may learn of its followers. Throws 404 if there is none. */
export async function followedOrganization(executor: ReadExecutor, { principal }: ReadingCaller, name: string) {
  const { organization, role } = await findVisibleOrganization(executor, principal, name);
  const { members_private } = await settingsOf(executor, organization.id);
  const hidesMembers = members_private === 1 && !hasAccess(role);
  return { organization, followed: { id: organization.id, kind: 'org', hidesMembers } satisfies Followed };
}

/** Lists of who follows whom: a follower is who watches a user or an organization. */
export function createFollowers({ database: { read } }: { readonly database: Database }) {
  async function pageOf({ principal, baseUrl }: Caller, rows: Account[], limit: number) {
    const { items, next } = pageFrom(rows, limit, ({ id }) => id);
    const ids = items.map(({ id }) => id);
    const followed = await followedAmong(read, principal.userId, ids);
    return {
      items: items.map((user) => ({ ...presentUser(baseUrl, user), isFollowing: followed.has(user.id) })),
      next,
    };
  }

  return {
    async ofUser(caller: Caller, username: string, { cursor, limit }: PageQuery) {
      const user = await accountNamed(read, 'user', username);
      const rows = await listFollowers(read, followedUser(user), idFromCursor(cursor), limit + 1);
      return pageOf(caller, rows, limit);
    },

    /** Organizations are not listed: members watch theirs, and that may be nobody's business. */
    async followedBy(caller: Caller, username: string, { cursor, limit }: PageQuery) {
      const user = await accountNamed(read, 'user', username);
      return pageOf(caller, await listFollowed(read, user.id, idFromCursor(cursor), limit + 1), limit);
    },

    async ofOrganization(caller: Caller, name: string, { cursor, limit }: PageQuery) {
      const { followed } = await followedOrganization(read, caller, name);
      return pageOf(caller, await listFollowers(read, followed, idFromCursor(cursor), limit + 1), limit);
    },
  };
}
