import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { ScimLinkRow } from '../tables.ts';

/** Where roles come from groups: some resource groups, and the organization itself. */
export interface LinkTargets {
  readonly resourceGroupIds: readonly string[];
  readonly organization: boolean;
}

/** The links of an organization with the names of what they join, a page of them, newest first. */
export function listLinks(
  executor: ReadExecutor,
  orgId: string,
  { id, before }: { id?: string; before?: string | undefined },
  limit: number,
) {
  let query = executor
    .selectFrom('scim_links')
    .innerJoin('scim_groups', 'scim_groups.id', 'scim_links.group_id')
    .leftJoin('resource_groups', 'resource_groups.id', 'scim_links.resource_group_id')
    .selectAll('scim_links')
    .select(['scim_groups.display_name as groupName', 'resource_groups.name as resourceGroupName'])
    .where('scim_links.org_id', '=', orgId)
    .orderBy('scim_links.id', 'desc')
    .limit(limit);
  if (id !== undefined) query = query.where('scim_links.id', '=', id);
  if (before !== undefined) query = query.where('scim_links.id', '<', before);
  return query.execute();
}
export type ListedLink = Awaited<ReturnType<typeof listLinks>>[number];

/** Throws where the group is linked to the same already. */
export async function insertLink(tx: Executor, row: ScimLinkRow): Promise<void> {
  await tx.insertInto('scim_links').values(row).execute();
}

export async function setLinkRole(tx: Executor, id: string, role: string): Promise<void> {
  await tx.updateTable('scim_links').set({ role }).where('id', '=', id).execute();
}

export async function deleteLink(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('scim_links').where('id', '=', id).execute();
}

export async function isLinked(executor: Executor, resourceGroupId: string): Promise<boolean> {
  const row = await executor
    .selectFrom('scim_links')
    .select('id')
    .where('resource_group_id', '=', resourceGroupId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const targetsOf = (rows: readonly Pick<ScimLinkRow, 'resource_group_id'>[]): LinkTargets => ({
  resourceGroupIds: rows.flatMap(({ resource_group_id: id }) => (id === null ? [] : [id])),
  organization: rows.some(({ resource_group_id: id }) => id === null),
});

/** Where any group of an organization gives roles. */
export const linksOf = async (executor: Executor, orgId: string): Promise<LinkTargets> =>
  targetsOf(await executor.selectFrom('scim_links').select('resource_group_id').where('org_id', '=', orgId).execute());

/** Who is in a group that gives a role in the organization. */
export async function membersLinked(executor: Executor, orgId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom('scim_links')
    .innerJoin('scim_group_members', 'scim_group_members.group_id', 'scim_links.group_id')
    .select('scim_group_members.user_id')
    .distinct()
    .where('scim_links.org_id', '=', orgId)
    .where('scim_links.resource_group_id', 'is', null)
    .execute();
  return rows.map((row) => row.user_id);
}

/** Where a group gives roles. */
export const linksOfGroup = async (executor: Executor, groupId: string): Promise<LinkTargets> =>
  targetsOf(
    await executor.selectFrom('scim_links').select('resource_group_id').where('group_id', '=', groupId).execute(),
  );

/** Where the groups of a user give roles. */
export const linksOfUser = async (executor: Executor, orgId: string, userId: string): Promise<LinkTargets> =>
  targetsOf(
    await executor
      .selectFrom('scim_links')
      .innerJoin('scim_group_members', 'scim_group_members.group_id', 'scim_links.group_id')
      .select('scim_links.resource_group_id')
      .where('scim_links.org_id', '=', orgId)
      .where('scim_group_members.user_id', '=', userId)
      .execute(),
  );
