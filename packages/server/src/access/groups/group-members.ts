import type { BuiltInRole } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { insertNew } from '../../platform/database/bulk.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { hasAccess } from '../policy.ts';
import { RESOURCE_GROUP_USER, type ResourceGroupUserRow } from '../tables.ts';

/** A resource group as the rules of access see it: where it is, and what a user is in it. */
export interface GroupStanding {
  readonly id: string;
  readonly orgId: string;
  readonly managed: boolean;
  /** Undefined: no member of it. */
  readonly role: BuiltInRole | undefined;
}

/** A group of an organization with the role of a user in it, or undefined where there is none with this id. */
export async function findGroupStanding(
  executor: ReadExecutor,
  orgId: string,
  groupId: string,
  userId: string,
): Promise<GroupStanding | undefined> {
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

/** Adds users to groups; who is in already stays as is. */
export const addGroupMembers = (tx: Executor, rows: readonly ResourceGroupUserRow[]): Promise<void> =>
  insertNew(tx, 'resource_group_users', RESOURCE_GROUP_USER, rows);

/** Ends what a user is in the groups of an organization. */
export async function removeFromGroups(tx: Executor, orgId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('resource_group_users')
    .where('user_id', '=', userId)
    .where('group_id', 'in', (groups) => groups.selectFrom('resource_groups').select('id').where('org_id', '=', orgId))
    .execute();
}

/** Of some users those that are in a group. */
export async function membersAmong(
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

/** Of some users those that belong to an organization. */
export async function belongingAmong(
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

/** Adds the members of an organization, or of them one, to a group that they join by themselves. Returns how many. */
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
