import type { BuiltInRole } from '@moonbase/contract/primitives';
import { type SqlBool, sql } from 'kysely';
import { isAtLeast } from '../../access/index.ts';
import { insertNew } from '../../platform/database/bulk.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { SCIM_ROLE } from '../tables.ts';
import type { GivenRole, GroupMember, MemberRoles, WantedRole } from './role-changes.ts';
import type { RoleTarget } from './target.ts';

interface WantedRow {
  readonly userId: string;
  readonly name: string;
  readonly role: string;
  readonly base: BuiltInRole;
}

const linksTo = ({ orgId, resourceGroupId }: RoleTarget) =>
  resourceGroupId === null
    ? sql<SqlBool>`l.org_id = ${orgId} and l.resource_group_id is null`
    : sql<SqlBool>`l.org_id = ${orgId} and l.resource_group_id = ${resourceGroupId}`;

/** Returns the best role that groups give each of some members in a target. */
export async function wantedRoles(
  tx: Executor,
  target: RoleTarget,
  userIds: readonly string[],
): Promise<Map<string, WantedRole>> {
  const { rows } = await sql<WantedRow>`
    select gm.user_id as "userId", a.name, l.role, coalesce(c.base, l.role) as base
    from scim_links l
    join scim_group_members gm on gm.group_id = l.group_id
    join memberships m on m.org_id = l.org_id and m.user_id = gm.user_id
    join accounts a on a.id = gm.user_id
    left join custom_roles c on c.org_id = l.org_id and c.name = l.role
    where ${linksTo(target)} and ${whereIn(tx, 'gm.user_id', userIds)}
    order by l.id`.execute(tx);
  const best = new Map<string, WantedRole>();
  for (const { userId, name, role, base } of rows) {
    const known = best.get(userId);
    if (!known || !isAtLeast(known.base, base)) best.set(userId, { name: role, base, userName: name });
  }
  return best;
}

/** Returns the roles of some users in a resource group. */
export const membersIn = (tx: Executor, groupId: string, userIds: readonly string[]): Promise<GroupMember[]> =>
  tx
    .selectFrom('resource_group_users as member')
    .innerJoin('accounts', 'accounts.id', 'member.user_id')
    .select(['member.user_id as userId', 'accounts.name', 'member.role'])
    .where('member.group_id', '=', groupId)
    .where(whereIn(tx, 'member.user_id', userIds))
    .execute();

/** Returns the roles of some members in an organization, including changes by SCIM. */
export const rolesIn = (tx: Executor, orgId: string, userIds: readonly string[]): Promise<MemberRoles[]> =>
  tx
    .selectFrom('memberships')
    .leftJoin('scim_roles', (join) =>
      join
        .onRef('scim_roles.org_id', '=', 'memberships.org_id')
        .onRef('scim_roles.user_id', '=', 'memberships.user_id'),
    )
    .leftJoin('custom_roles', (join) =>
      join
        .onRef('custom_roles.org_id', '=', 'scim_roles.org_id')
        .onRef('custom_roles.name', '=', 'scim_roles.own_role'),
    )
    .select(['memberships.user_id as userId', 'memberships.role', 'memberships.base_role as base'])
    .select(['scim_roles.own_role as ownRole', 'custom_roles.base as ownBase', 'scim_roles.given_role as givenRole'])
    .where('memberships.org_id', '=', orgId)
    .where(whereIn(tx, 'memberships.user_id', userIds))
    .orderBy('memberships.user_id')
    .execute();

/** Stores the roles that groups gave, with the roles before. */
export const storeGivenRoles = (tx: Executor, orgId: string, roles: readonly GivenRole[]): Promise<void> =>
  insertNew(
    tx,
    'scim_roles',
    SCIM_ROLE,
    roles.map(({ userId, ownRole, givenRole }) => ({
      ...{ org_id: orgId, user_id: userId, own_role: ownRole, given_role: givenRole },
    })),
    '(org_id, user_id) do update set own_role = excluded.own_role, given_role = excluded.given_role',
  );

export async function deleteGivenRoles(tx: Executor, orgId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx
    .deleteFrom('scim_roles')
    .where('org_id', '=', orgId)
    .where(whereIn(tx, 'user_id', userIds))
    .execute();
}

/** The maximum number of groups per statement: SQLite limits compound selects to 500. */
const MAX_GROUPS = 100;

/**
 * Returns the next users, ordered by id, whose roles in a target may change: members of the SCIM groups linked to it,
 * and the organization members whose role came from a SCIM group, or all users of the resource group.
 */
export async function usersConcernedAfter(
  tx: Executor,
  target: RoleTarget,
  after: string,
  limit: number,
): Promise<string[]> {
  const { orgId, resourceGroupId } = target;
  const pageOf = (table: string, key: string, value: string) => sql`
    select * from (
      select user_id from ${sql.table(table)} where ${sql.ref(key)} = ${value} and user_id > ${after}
      order by user_id limit ${limit}
    ) as page`;
  const { rows: linked } = await sql<{ id: string }>`
    select distinct group_id as id from scim_links l where ${linksTo(target)}`.execute(tx);
  const pages = [
    resourceGroupId === null
      ? pageOf('scim_roles', 'org_id', orgId)
      : pageOf('resource_group_users', 'group_id', resourceGroupId),
    ...linked.map(({ id }) => pageOf('scim_group_members', 'group_id', id)),
  ];
  const found = new Set<string>();
  for (let from = 0; from < pages.length; from += MAX_GROUPS) {
    const some = pages.slice(from, from + MAX_GROUPS);
    const { rows } = await sql<{ user_id: string }>`${sql.join(some, sql` union `)}`.execute(tx);
    for (const row of rows) found.add(row.user_id);
  }
  return [...found].sort().slice(0, limit);
}

/** Returns whether an organization has an enabled admin besides some users. */
export async function hasOtherAdmin(tx: Executor, orgId: string, userIds: readonly string[]): Promise<boolean> {
  const row = await tx
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.user_id')
    .select('memberships.user_id')
    .where('memberships.org_id', '=', orgId)
    // Literally the condition of the partial index.
    .where(sql<SqlBool>`memberships.base_role = 'admin'`)
    .where('accounts.disabled_at', 'is', null)
    .where(sql<SqlBool>`not ${whereIn(tx, 'memberships.user_id', userIds)}`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether an organization will have an enabled admin after all members got the roles of their groups. */
export async function willKeepAdmin(tx: Executor, orgId: string): Promise<boolean> {
  const { rows } = await sql<{ admin: number }>`
    select case when exists (
      select 1 from memberships m join accounts u on u.id = m.user_id
      left join scim_roles s on s.org_id = m.org_id and s.user_id = m.user_id and s.given_role = m.role
      left join custom_roles own on own.org_id = s.org_id and own.name = s.own_role
      where m.org_id = ${orgId} and m.base_role = 'admin' and u.disabled_at is null
        and (s.user_id is null or s.own_role = 'admin' or own.base = 'admin')
    ) or exists (
      select 1 from scim_links l
      join scim_group_members gm on gm.group_id = l.group_id
      join memberships m on m.org_id = l.org_id and m.user_id = gm.user_id
      join accounts u on u.id = gm.user_id
      left join custom_roles c on c.org_id = l.org_id and c.name = l.role
      where ${linksTo({ orgId, resourceGroupId: null })} and coalesce(c.base, l.role) = 'admin' and u.disabled_at is null
    ) then 1 else 0 end as admin`.execute(tx);
  return rows[0]?.admin === 1;
}
