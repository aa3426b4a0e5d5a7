import { type Expression, sql } from 'kysely';
import { foldedForSearch } from '../access/index.ts';
import { vouchedAddress } from '../organizations/index.ts';
import { contains } from '../platform/database/contains.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';

/** Where a page begins: after the member who joined then. */
export interface After {
  readonly joinedAt: number;
  readonly userId: string;
}

export interface MemberFilter {
  readonly after?: After | undefined;
  readonly search?: string | undefined;
  /** In lower case, and whether the organization may vouch for its domain. */
  readonly email?: { readonly key: string; readonly vouched: boolean } | undefined;
}

/** Who is a member, in the order of joining, a page of them: one index is read and nothing else. */
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
  if (email) page = page.where('user_id', 'in', whoseAddressIs(orgId, email));
  return page.execute();
}

const VOUCHED = { userId: sql.ref<string>('memberships.user_id'), ownerId: sql.ref<string>('memberships.org_id') };

/** Whose own address it is, or, of those who have none, whom the organization's SCIM gives it. */
function whoseAddressIs(orgId: string, { key, vouched }: NonNullable<MemberFilter['email']>): Expression<string> {
  const own = sql`select id from accounts where lower(email) = ${key}`;
  const given = sql`select s.user_id from scim_users s join accounts a on a.id = s.user_id
    where s.org_id = ${orgId} and s.email_key = ${key} and a.email is null`;
  return vouched ? sql`(${own} union all ${given})` : sql`(${own})`;
}

/** Some members, in no order. Asked for with the page in one query, PostgreSQL would rather read all accounts. */
export const membersAmong = (executor: ReadExecutor, orgId: string, userIds: readonly string[], vouching: boolean) =>
  executor
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.user_id')
    .select([
      'accounts.id',
      'accounts.name',
      'accounts.fullname',
      'accounts.avatar_url',
      'accounts.pro',
      'memberships.role',
      vouching
        ? sql<string | null>`coalesce(accounts.email, ${vouchedAddress(executor, VOUCHED)})`.as('email')
        : 'accounts.email',
    ])
    .where('memberships.org_id', '=', orgId)
    .where(whereIn(executor, 'memberships.user_id', userIds))
    .where(whereIn(executor, 'accounts.id', userIds))
    .execute();
export type ListedMember = Awaited<ReturnType<typeof membersAmong>>[number];

/** The resource groups of some members; of those only that the viewer is in, where one is given. */
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

/** What members are searched by, wherever a user is one. */
export async function setSearchKey(tx: Executor, userId: string, searchKey: string): Promise<void> {
  await tx.updateTable('memberships').set({ search_key: searchKey }).where('user_id', '=', userId).execute();
}
