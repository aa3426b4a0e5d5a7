import type { BuiltInRole } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { isAtLeast, type NamedRole } from '../../access/index.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';

/** What is known of somebody who joins an organization again: one query, as it is asked of everybody who joins. */
export const returning = prepared<{ orgId: string; userId: string }>()((executor, argument) =>
  executor.selectNoFrom([
    sql<string | null>`(
      select taken from scim_users where org_id = ${argument('orgId')} and user_id = ${argument('userId')}
    )`.as('taken'),
    sql<number>`(
      select count(*) from scim_group_members gm join scim_groups g on g.id = gm.group_id
      where gm.user_id = ${argument('userId')} and g.org_id = ${argument('orgId')}
    )`.as('groups'),
    sql<number>`(
      select count(*) from scim_roles where org_id = ${argument('orgId')} and user_id = ${argument('userId')}
    )`.as('roles'),
  ]),
);

interface Wanted {
  readonly userId: string;
  readonly name: string;
  readonly role: string;
  readonly base: BuiltInRole;
}

/** The best role that groups give each of some members, or all: in a resource group, or in the organization (null). */
export async function wantedRoles(
  executor: Executor,
  orgId: string,
  resourceGroupId: string | null,
  userIds?: readonly string[],
): Promise<Map<string, NamedRole & { readonly userName: string }>> {
  const { rows } = await sql<Wanted>`
    select gm.user_id as ${sql.id('userId')}, a.name, l.role, coalesce(c.base, l.role) as base
    from scim_links l
    join scim_group_members gm on gm.group_id = l.group_id
    join memberships m on m.org_id = l.org_id and m.user_id = gm.user_id
    join accounts a on a.id = gm.user_id
    left join custom_roles c on c.org_id = l.org_id and c.name = l.role
    where l.org_id = ${orgId}
      and ${resourceGroupId === null ? sql`l.resource_group_id is null` : sql`l.resource_group_id = ${resourceGroupId}`}
      ${userIds ? sql`and ${whereIn(executor, 'gm.user_id', userIds)}` : sql``}
    order by l.id`.execute(executor);
  const best = new Map<string, NamedRole & { userName: string }>();
  for (const { userId, name, role, base } of rows) {
    const known = best.get(userId);
    if (!known || !isAtLeast(known.base, base)) best.set(userId, { name: role, base, userName: name });
  }
  return best;
}

/** What some users, or all, are in a resource group. */
export function standingIn(executor: Executor, groupId: string, userIds?: readonly string[]) {
  const query = executor
    .selectFrom('resource_group_users as member')
    .innerJoin('accounts', 'accounts.id', 'member.user_id')
    .select(['member.user_id as userId', 'accounts.name', 'member.role'])
    .where('member.group_id', '=', groupId);
  return (userIds ? query.where(whereIn(executor, 'member.user_id', userIds)) : query).execute();
}

/** The roles of some members in an organization, with what SCIM has done to them. */
export const rolesIn = (executor: Executor, orgId: string, userIds: readonly string[]) =>
  executor
    .selectFrom('memberships')
    .leftJoin('scim_roles', (join) =>
      join
        .onRef('scim_roles.org_id', '=', 'memberships.org_id')
        .onRef('scim_roles.user_id', '=', 'memberships.user_id'),
    )
    .select(['memberships.user_id as userId', 'memberships.role', 'memberships.base_role as base'])
    .select(['scim_roles.own_role as ownRole', 'scim_roles.given_role as givenRole'])
    .where('memberships.org_id', '=', orgId)
    .where(whereIn(executor, 'memberships.user_id', userIds))
    .orderBy('memberships.user_id')
    .execute();

export async function keepOwnRole(
  tx: Executor,
  orgId: string,
  userId: string,
  { own_role, given_role }: { readonly own_role: string; readonly given_role: string },
): Promise<void> {
  await tx
    .insertInto('scim_roles')
    .values({ org_id: orgId, user_id: userId, own_role, given_role })
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet({ own_role, given_role }))
    .execute();
}

export async function forgetOwnRole(tx: Executor, orgId: string, userId: string): Promise<void> {
  await tx.deleteFrom('scim_roles').where('org_id', '=', orgId).where('user_id', '=', userId).execute();
}

/** Who has a role in the organization from a group. */
export async function givenRoles(executor: Executor, orgId: string): Promise<string[]> {
  const rows = await executor.selectFrom('scim_roles').select('user_id').where('org_id', '=', orgId).execute();
  return rows.map((row) => row.user_id);
}
