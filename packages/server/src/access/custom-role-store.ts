import type { BuiltInRole } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { roleTopic } from './events.ts';
import type { CustomRoleRow } from './tables.ts';

/** Newest first, a page of it. */
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

/** How many members of an organization have each custom role. */
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

/** Gives a role another name, with everybody and everything that has it. */
export async function renameRole(tx: Executor, orgId: string, before: string, { name, name_key }: CustomRoleRow) {
  const given = { role: name };
  await tx
    .updateTable('custom_roles')
    .set({ name, name_key })
    .where('org_id', '=', orgId)
    .where('name', '=', before)
    .execute();
  await tx
    .updateTable('memberships')
    .set(given)
    .where('org_id', '=', orgId)
    .where('role', '=', before)
    .where(sql<boolean>`role <> base_role`)
    .execute();
  await tx
    .updateTable('resource_group_users')
    .set(given)
    .where('group_id', 'in', groupsOf(tx, orgId))
    .where('role', '=', before)
    .execute();
  await tx
    .updateTable('resource_groups')
    .set({ auto_join_role: name })
    .where('org_id', '=', orgId)
    .where('auto_join_role', '=', before)
    .execute();
  for (const table of ['invitations', 'scim_links'] as const)
    await tx.updateTable(table).set(given).where('org_id', '=', orgId).where('role', '=', before).execute();
  for (const column of ['own_role', 'given_role'] as const)
    await tx
      .updateTable('scim_roles')
      .set({ [column]: name })
      .where('org_id', '=', orgId)
      .where(column, '=', before)
      .execute();
  // Names of roles need no escaping in JSON.
  await sql`
    update scim_users set taken = replace(taken, ${`"role":"${before}"`}, ${`"role":"${name}"`})
    where org_id = ${orgId} and taken is not null`.execute(tx);
}

/** Whether another base of the role was not reacted to yet: that looks for who has the role by its name. */
export async function isBeingAnnounced(executor: Executor, orgId: string, name: string): Promise<boolean> {
  const rows = await executor
    .selectFrom('events')
    .select('data')
    .where('topic', '=', roleTopic.name)
    .where('done_at', 'is', null)
    .execute();
  const roles = rows.map(({ data }) => roleTopic.read(data));
  return roles.some((role) => role.orgId === orgId && role.name === name);
}

export async function deleteRole(tx: Executor, orgId: string, name: string): Promise<void> {
  await tx.deleteFrom('custom_roles').where('org_id', '=', orgId).where('name', '=', name).execute();
}

/** The groups of an organization. */
const groupsOf = (executor: Executor, orgId: string) =>
  executor.selectFrom('resource_groups').select('resource_groups.id').where('org_id', '=', orgId);

/** Everybody who has the role stands on another base: in the organization, and in its groups. */
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

/** Whether anybody has the role, gets it by joining a group or through SCIM, gets it back from SCIM, or is invited to it. */
export async function roleInUse(executor: Executor, orgId: string, name: string): Promise<boolean> {
  const { rows } = await sql<{ used: number }>`
    select 1 as used from memberships where org_id = ${orgId} and role = ${name} and role <> base_role
    union all
    select 1 from resource_group_users where role = ${name} and group_id in (${groupsOf(executor, orgId)})
    union all
    select 1 from resource_groups where org_id = ${orgId} and auto_join_role = ${name}
    union all
    select 1 from invitations where org_id = ${orgId} and role = ${name}
    union all
    select 1 from scim_links where org_id = ${orgId} and role = ${name}
    union all
    select 1 from scim_roles where org_id = ${orgId} and own_role = ${name}
    limit 1`.execute(executor);
  return rows.length > 0;
}

/** Who has the role in the organization, a page of them by id. */
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

/** Who has the role in which group, a page of them. */
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
