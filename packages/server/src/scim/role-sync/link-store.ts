import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { ScimLinkRow } from '../tables.ts';
import { distinctTargets, type RoleTarget } from './target.ts';

/** Returns a page of the links of an organization with the names of groups, newest first. */
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

/** Throws if the group has such a link already. */
export async function insertLink(tx: Executor, row: ScimLinkRow): Promise<void> {
  await tx.insertInto('scim_links').values(row).execute();
}

export async function setLinkRole(tx: Executor, id: string, role: string): Promise<void> {
  await tx.updateTable('scim_links').set({ role }).where('id', '=', id).execute();
}

export async function deleteLink(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('scim_links').where('id', '=', id).execute();
}

/** Deletes the links of a group, which then gives no roles. */
export async function deleteLinksOfGroup(tx: Executor, groupId: string): Promise<void> {
  await tx.deleteFrom('scim_links').where('group_id', '=', groupId).execute();
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

const targetsOf = (orgId: string, rows: readonly Pick<ScimLinkRow, 'resource_group_id'>[]): RoleTarget[] =>
  distinctTargets(
    orgId,
    rows.map((row) => row.resource_group_id),
  );

const linkTargets = (tx: Executor, orgId: string) =>
  tx.selectFrom('scim_links').select('scim_links.resource_group_id').distinct().where('scim_links.org_id', '=', orgId);

/** Returns the targets in which any group of an organization gives roles. */
export const linksOf = async (tx: Executor, orgId: string): Promise<RoleTarget[]> =>
  targetsOf(orgId, await linkTargets(tx, orgId).execute());

/** Returns the targets in which a group gives roles. */
export const linksOfGroup = async (tx: Executor, orgId: string, groupId: string): Promise<RoleTarget[]> =>
  targetsOf(orgId, await linkTargets(tx, orgId).where('group_id', '=', groupId).execute());

/** Returns the targets in which the groups of some users give roles. */
export const linksOfUsers = async (tx: Executor, orgId: string, userIds: readonly string[]): Promise<RoleTarget[]> =>
  targetsOf(
    orgId,
    await linkTargets(tx, orgId)
      .innerJoin('scim_group_members', 'scim_group_members.group_id', 'scim_links.group_id')
      .where(whereIn(tx, 'scim_group_members.user_id', userIds))
      .execute(),
  );
