import type { BuiltInRole } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { nameKey } from '../accounts/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { CustomRoleRow } from './tables.ts';

export const findCustomRole = (executor: Executor, orgId: string, name: string): Promise<CustomRoleRow | undefined> =>
  executor
    .selectFrom('custom_roles')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst();

/** Returns a page of custom roles, newest first. */
export function listRoles(
  executor: ReadExecutor,
  orgId: string,
  after: Pick<CustomRoleRow, 'created_at' | 'name_key'> | undefined,
  limit: number,
): Promise<CustomRoleRow[]> {
  let query = executor.selectFrom('custom_roles').selectAll().where('org_id', '=', orgId);
  if (after)
    query = query.where((eb) =>
      eb.or([
        eb('created_at', '<', after.created_at),
        eb.and([eb('created_at', '=', after.created_at), eb('name_key', '>', after.name_key)]),
      ]),
    );
  return query.orderBy('created_at', 'desc').orderBy('name_key').limit(limit).execute();
}

/** Returns the number of members with each custom role. */
export async function holdersOf(executor: ReadExecutor, orgId: string): Promise<Map<string, number>> {
  const rows = await executor
    .selectFrom('memberships')
    .select(['role', (eb) => eb.fn.countAll<number>().as('count')])
    .where('org_id', '=', orgId)
    .where(sql<boolean>`role <> base_role`)
    .groupBy('role')
    .execute();
  return new Map(rows.map(({ role, count }) => [role, count]));
}

export const countHolders = async (executor: Executor, orgId: string, name: string): Promise<number> =>
  (await holdersOf(executor, orgId)).get(name) ?? 0;

export async function insertRole(tx: Executor, role: CustomRoleRow): Promise<void> {
  await tx.insertInto('custom_roles').values(role).execute();
}

export async function updateRole(tx: Executor, { org_id, name, base, description }: CustomRoleRow): Promise<void> {
  await tx
    .updateTable('custom_roles')
    .set({ base, description })
    .where('org_id', '=', org_id)
    .where('name', '=', name)
    .execute();
}

/** Renames a role, including its occurrences in memberships and resource groups. */
export async function renameRole(tx: Executor, orgId: string, before: string, { name, name_key }: CustomRoleRow) {
  const renamed = { role: name };
  await tx
    .updateTable('custom_roles')
    .set({ name, name_key })
    .where('org_id', '=', orgId)
    .where('name', '=', before)
    .execute();
  await tx
    .updateTable('memberships')
    .set(renamed)
    .where('org_id', '=', orgId)
    .where('role', '=', before)
    .where(sql<boolean>`role <> base_role`)
    .execute();
  await tx
    .updateTable('resource_group_users')
    .set(renamed)
    .where('group_id', 'in', groupsOf(tx, orgId))
    .where('role', '=', before)
    .execute();
  await tx
    .updateTable('resource_groups')
    .set({ auto_join_role: name })
    .where('org_id', '=', orgId)
    .where('auto_join_role', '=', before)
    .execute();
}

export async function deleteRole(tx: Executor, orgId: string, name: string): Promise<void> {
  await tx.deleteFrom('custom_roles').where('org_id', '=', orgId).where('name', '=', name).execute();
}

/** Selects the ids of the resource groups of an organization. */
const groupsOf = (executor: Executor, orgId: string) =>
  executor.selectFrom('resource_groups').select('resource_groups.id').where('org_id', '=', orgId);

/** Changes the base role of all holders of a role, in the organization and in its groups. */
export async function setBase(tx: Executor, orgId: string, name: string, base: BuiltInRole): Promise<void> {
  const base_role = base;
  await tx
    .updateTable('memberships')
    .set({ base_role })
    .where('org_id', '=', orgId)
    .where('role', '=', name)
    .where(sql<boolean>`role <> base_role`)
    .execute();
  await tx
    .updateTable('resource_group_users')
    .set({ base_role })
    .where('group_id', 'in', groupsOf(tx, orgId))
    .where('role', '=', name)
    .execute();
}

/** Returns whether a member has the role in the organization or in a resource group, or a group gives it on joining. */
export async function hasHolders(executor: Executor, orgId: string, name: string): Promise<boolean> {
  const { rows } = await sql<{ used: number }>`
    select 1 as used from memberships where org_id = ${orgId} and role = ${name} and role <> base_role
    union all
    select 1 from resource_group_users where role = ${name} and group_id in (${groupsOf(executor, orgId)})
    union all
    select 1 from resource_groups where org_id = ${orgId} and auto_join_role = ${name}
    limit 1`.execute(executor);
  return rows.length > 0;
}

/** Returns a page of the members with a role, ordered by user id. */
export async function holdersAfter(
  executor: Executor,
  orgId: string,
  name: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await executor
    .selectFrom('memberships')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('role', '=', name)
    .where(sql<boolean>`role <> base_role`)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

interface GroupHolder {
  readonly groupId: string;
  readonly userId: string;
}

/** Returns a page of the resource group members with a role, ordered by group and user id. */
export const groupHoldersAfter = (
  executor: Executor,
  orgId: string,
  name: string,
  after: GroupHolder,
  limit: number,
): Promise<GroupHolder[]> =>
  executor
    .selectFrom('resource_group_users')
    .select(['group_id as groupId', 'user_id as userId'])
    .where('group_id', 'in', groupsOf(executor, orgId))
    .where('role', '=', name)
    .where(sql<boolean>`(group_id, user_id) > (${after.groupId}, ${after.userId})`)
    .orderBy('group_id')
    .orderBy('user_id')
    .limit(limit)
    .execute();
