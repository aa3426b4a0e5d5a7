import type { BuiltInRole } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { insertNew } from '../../platform/database/bulk.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { hasAccess } from '../policy.ts';
import { RESOURCE_GROUP_USER, type ResourceGroupUserRow } from '../tables.ts';

/** A resource group as the rules of access see it, with the role of a user. */
export interface GroupWithRole {
  readonly id: string;
  readonly orgId: string;
  readonly managed: boolean;
  /** Undefined: the user is not a member of the group. */
  readonly role: BuiltInRole | undefined;
}

/** Returns a group of an organization with the role of a user in it; undefined if it does not exist. */
export async function findGroupWithRole(
  executor: ReadExecutor,
  orgId: string,
  groupId: string,
  userId: string,
): Promise<GroupWithRole | undefined> {
  const row = await executor
    .selectFrom('resource_groups')
    .leftJoin('resource_group_users as member', (join) =>
      join.onRef('member.group_id', '=', 'resource_groups.id').on('member.user_id', '=', userId),
    )
    .select(['resource_groups.id', 'resource_groups.managed_by', 'member.base_role'])
    .where('resource_groups.id', '=', groupId)
    .where('resource_groups.org_id', '=', orgId)
    .executeTakeFirst();
  if (!row) return undefined;
  const role = hasAccess(row.base_role) ? row.base_role : undefined;
  return { id: row.id, orgId, managed: row.managed_by !== null, role };
}

/** Adds users to groups; existing members stay unchanged. */
export const addGroupMembers = (tx: Executor, rows: readonly ResourceGroupUserRow[]): Promise<void> =>
  insertNew(tx, 'resource_group_users', RESOURCE_GROUP_USER, rows);

/** Adds a user to a group, or changes the role of an existing member. */
export async function putGroupMember(tx: Executor, row: ResourceGroupUserRow): Promise<void> {
  const { role, base_role, by_sign_in } = row;
  await tx
    .insertInto('resource_group_users')
    .values(row)
    .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet({ role, base_role, by_sign_in }))
    .execute();
}

/** Changes the role of members of a group; `bySignIn`: the mapping of an OpenID provider gives it. */
export async function setGroupRole(
  tx: Executor,
  groupId: string,
  userIds: readonly string[],
  { name, base, bySignIn }: { readonly name: string; readonly base: BuiltInRole; readonly bySignIn: boolean },
): Promise<void> {
  await tx
    .updateTable('resource_group_users')
    .set({ role: name, base_role: base, by_sign_in: bySignIn ? 1 : 0 })
    .where('group_id', '=', groupId)
    .where(whereIn(tx, 'user_id', userIds))
    .execute();
}

export async function removeGroupMembers(tx: Executor, groupId: string, userIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('resource_group_users')
    .where('group_id', '=', groupId)
    .where(whereIn(tx, 'user_id', userIds))
    .execute();
}

/** Returns the memberships of a user in some groups. */
export const groupMembershipsOf = (
  executor: Executor,
  userId: string,
  groupIds: readonly string[],
): Promise<ResourceGroupUserRow[]> =>
  groupIds.length === 0
    ? Promise.resolve([])
    : executor
        .selectFrom('resource_group_users')
        .selectAll()
        .where('user_id', '=', userId)
        .where('group_id', 'in', groupIds)
        .execute();

/** Removes a user from all groups of an organization. */
export async function removeFromGroups(tx: Executor, orgId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('resource_group_users')
    .where('user_id', '=', userId)
    .where('group_id', 'in', (groups) => groups.selectFrom('resource_groups').select('id').where('org_id', '=', orgId))
    .execute();
}

/**
 * Deletes at most `limit` members of the groups of an organization, without events. Returns the number of deleted rows.
 */
export async function deleteGroupMembers(tx: Executor, orgId: string, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from resource_group_users where (group_id, user_id) in (
      select member.group_id, member.user_id from resource_group_users member
      join resource_groups g on g.id = member.group_id where g.org_id = ${orgId} limit ${limit}
    ) returning user_id`.execute(tx);
  return rows.length;
}

/** Returns those of the users that are in a group. */
export async function filterMembers(
  executor: Executor,
  groupId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await executor
    .selectFrom('resource_group_users')
    .select('user_id')
    .where('group_id', '=', groupId)
    .where(whereIn(executor, 'user_id', userIds))
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** Returns those of the users that are members of an organization. */
export async function findMembersAmong(
  executor: Executor,
  orgId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await executor
    .selectFrom('memberships')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where(whereIn(executor, 'user_id', userIds))
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

interface AutoJoin {
  readonly groupId: string;
  readonly orgId: string;
  readonly role: string;
  readonly base: BuiltInRole;
  readonly scope: 'all' | 'read_plus';
  readonly now: number;
}

/**
 * Adds the members of an organization, or one of them, to a group with automatic joining. Returns the number of added
 * members.
 */
export async function autoJoin(
  tx: Executor,
  { groupId, orgId, role, base, scope, now }: AutoJoin,
  userId?: string,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into resource_group_users (group_id, user_id, role, base_role, added_by, created_at)
    select cast(${groupId} as text), m.user_id, cast(${role} as text), cast(${base} as text), null,
      cast(${now} as bigint)
    from memberships m
    where m.org_id = ${orgId} ${scope === 'read_plus' ? sql`and m.base_role <> 'no_access'` : sql``}
    ${userId === undefined ? sql`` : sql`and m.user_id = ${userId}`}
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
