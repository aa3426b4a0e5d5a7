import { type Expression, sql } from 'kysely';
import { foldedForSearch } from '../access/index.ts';
import type { Account } from '../accounts/index.ts';
import type { VouchedAddresses } from '../organizations/index.ts';
import { contains } from '../platform/database/contains.ts';
import { asText, jsonRows } from '../platform/database/packed/json-rows.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { parseJson } from '../platform/stored-form.ts';

/** The position of a page: the member after whom it begins. */
export interface After {
  readonly joinedAt: number;
  readonly userId: string;
}

export interface MemberFilter {
  readonly after?: After | undefined;
  readonly search?: string | undefined;
  /** The address in lower case, and the addresses that the organization vouches for, if it has the domain. */
  readonly email?: { readonly key: string; readonly vouched: VouchedAddresses | undefined } | undefined;
}

/** Returns a page of the members of an organization in the order of joining, from a single index. */
export function memberPage(
  executor: ReadExecutor,
  orgId: string,
  { after, search, email }: MemberFilter,
  limit: number,
) {
  let page = executor
    .selectFrom('memberships')
    .select(['user_id as userId', 'created_at as joinedAt'])
    .where('org_id', '=', orgId)
    .orderBy('created_at')
    .orderBy('user_id')
    .limit(limit);
  if (after) page = page.where(sql<boolean>`(created_at, user_id) > (${after.joinedAt}, ${after.userId})`);
  if (search) page = page.where(contains(sql.ref('search_key'), foldedForSearch(search)));
  if (email) page = page.where('user_id', 'in', usersWithAddress(orgId, email));
  return page.execute();
}

const MEMBER = { userId: sql.ref<string>('memberships.user_id'), ownerId: sql.ref<string>('memberships.org_id') };

/**
 * Returns a query of the users with an address: their own or, for users without one, the one from the organization's
 * SCIM.
 */
function usersWithAddress(orgId: string, { key, vouched }: NonNullable<MemberFilter['email']>): Expression<string> {
  const own = sql`select id from accounts where lower(email) = ${key}`;
  return vouched ? sql`(${own} union all ${vouched.usersWith(orgId, key)})` : sql`(${own})`;
}

/** A member as the list shows one. */
export interface ListedMember extends Pick<Account, 'id' | 'name' | 'fullname' | 'avatar_url' | 'pro' | 'email'> {
  readonly role: string;
  /** The second factor with which the member signs in. */
  readonly secondFactorId: string | null;
}

type MemberTuple = [
  id: string,
  name: string,
  fullname: string,
  avatarUrl: string | null,
  pro: Account['pro'],
  role: string,
  secondFactorId: string | null,
  email: string | null,
];

/**
 * Returns some members in no particular order. A separate query, because in one query with the page PostgreSQL would
 * read all accounts.
 */
export async function findMembers(
  executor: ReadExecutor,
  orgId: string,
  userIds: readonly string[],
  /** The addresses that the organization vouches for. */
  vouched: VouchedAddresses | undefined,
): Promise<ListedMember[]> {
  const email = vouched ? sql`coalesce(accounts.email, ${vouched.addressOf(executor, MEMBER)})` : 'accounts.email';
  const account = ['id', 'name', 'fullname', 'avatar_url', 'pro'].map((column) => `accounts.${column}`);
  const columns = [...account, 'memberships.role', 'second_factors.id', email];
  const { rows } = await executor
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.user_id')
    .leftJoin('second_factors', (on) =>
      on.onRef('second_factors.user_id', '=', 'accounts.id').on('second_factors.confirmed_at', 'is not', null),
    )
    .select(asText(executor, jsonRows<MemberTuple>(executor, columns)).as('rows'))
    .where('memberships.org_id', '=', orgId)
    .where(whereIn(executor, 'memberships.user_id', userIds))
    .where(whereIn(executor, 'accounts.id', userIds))
    .executeTakeFirstOrThrow();
  return parseJson<MemberTuple[]>(rows).map(([id, name, fullname, avatar_url, pro, role, secondFactorId, address]) => ({
    ...{ id, name, fullname, avatar_url, pro, role, secondFactorId, email: address },
  }));
}

/** Returns the resource groups of some members; with `viewerId` only groups that the viewer is in. */
export function groupsOfMembers(executor: ReadExecutor, orgId: string, userIds: readonly string[], viewerId?: string) {
  let query = executor
    .selectFrom('resource_groups')
    .innerJoin('resource_group_users', 'resource_group_users.group_id', 'resource_groups.id')
    .select([
      'resource_group_users.user_id as userId',
      'resource_groups.id',
      'resource_groups.name',
      'resource_group_users.role',
    ])
    .where('resource_groups.org_id', '=', orgId)
    .where(whereIn(executor, 'resource_group_users.user_id', userIds))
    .orderBy('resource_groups.id');
  if (viewerId !== undefined)
    query = query.where('resource_groups.id', 'in', (of) =>
      of.selectFrom('resource_group_users').select('group_id').where('user_id', '=', viewerId),
    );
  return query.execute();
}

export async function countGroupUsers(
  executor: ReadExecutor,
  groupIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await executor
    .selectFrom('resource_group_users')
    .select(['group_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where(whereIn(executor, 'group_id', groupIds))
    .groupBy('group_id')
    .execute();
  return new Map(rows.map((row) => [row.group_id, row.count]));
}

export const anyGroup = async (executor: ReadExecutor, orgId: string): Promise<boolean> =>
  (await executor
    .selectFrom('resource_groups')
    .select('id')
    .where('org_id', '=', orgId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

export const findMember = (executor: Executor, orgId: string, userId: string) =>
  executor
    .selectFrom('memberships')
    .select(['role', 'base_role as base'])
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
