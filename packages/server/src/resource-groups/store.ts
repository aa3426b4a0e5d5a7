import { BuiltInRole } from '@moonbase/contract/primitives';
import { type ResourceGroupRow, readableBy, repoColumns } from '../access/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { Principal } from '../platform/http/authenticate.ts';

export type Group = Omit<ResourceGroupRow, 'name_key'>;

const keyOf = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** Whether another group of the organization has this name, regardless of case. Ask with the organization locked. */
export async function isNameTaken(tx: Executor, { org_id, id }: Pick<Group, 'org_id' | 'id'>, name: string) {
  const other = await tx
    .selectFrom('resource_groups')
    .select('id')
    .where('org_id', '=', org_id)
    .where('name_key', '=', keyOf(name))
    .where('id', '<>', id)
    .executeTakeFirst();
  return other !== undefined;
}

export const findGroup = (executor: ReadExecutor, id: string): Promise<Group | undefined> =>
  executor.selectFrom('resource_groups').selectAll().where('id', '=', id).executeTakeFirst();

/** The groups of an organization in the order in which they were made; with a user, those that the user belongs to. */
export function listGroups(executor: ReadExecutor, orgId: string, userId: string | undefined): Promise<Group[]> {
  let query = executor.selectFrom('resource_groups').selectAll().where('org_id', '=', orgId);
  if (userId !== undefined)
    query = query.where('id', 'in', (joined) =>
      joined
        .selectFrom('resource_group_users')
        .select('group_id')
        .where('user_id', '=', userId)
        .where('base_role', '<>', 'no_access'),
    );
  return query.orderBy('id').execute();
}

/** Groups that whoever joins their organization joins, too. */
export const autoJoinGroups = (executor: Executor, orgId: string): Promise<Group[]> =>
  executor
    .selectFrom('resource_groups')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('auto_join_role', 'is not', null)
    .where('managed_by', 'is', null)
    .execute();

export async function insertGroup(tx: Executor, group: Group): Promise<void> {
  await tx
    .insertInto('resource_groups')
    .values({ ...group, name_key: keyOf(group.name) })
    .execute();
}

export async function updateGroup(tx: Executor, id: string, change: Partial<Group>): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const key = change.name === undefined ? {} : { name_key: keyOf(change.name) };
  await tx
    .updateTable('resource_groups')
    .set({ ...change, ...key })
    .where('id', '=', id)
    .execute();
}

export async function deleteGroup(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('resource_groups').where('id', '=', id).execute();
}

/** Who is in some groups, in the order of being added. */
export const usersOf = (executor: ReadExecutor, groupIds: readonly string[]) =>
  executor
    .selectFrom('resource_group_users as member')
    .innerJoin('accounts', 'accounts.id', 'member.user_id')
    .leftJoin('accounts as adder', 'adder.id', 'member.added_by')
    .select([
      'member.group_id as groupId',
      'member.role',
      'accounts.id',
      'accounts.name',
      'accounts.fullname',
      'accounts.avatar_url',
      'adder.name as addedBy',
    ])
    .where(whereIn(executor, 'member.group_id', groupIds))
    .orderBy('member.created_at')
    .orderBy('member.user_id')
    .execute();
export type GroupUser = Awaited<ReturnType<typeof usersOf>>[number];

/** What is in some groups, of that what the viewer may read. */
export const reposOf = (executor: ReadExecutor, groupIds: readonly string[], viewer: Principal) =>
  executor
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .leftJoin('accounts as adder', 'adder.id', 'repositories.resource_group_added_by')
    .select([
      'repositories.resource_group_id as groupId',
      'repositories.name',
      'repositories.type',
      'repositories.private',
      'accounts.name as ownerName',
      'adder.name as addedBy',
    ])
    .where(whereIn(executor, 'repositories.resource_group_id', groupIds))
    .where(readableBy(repoColumns, viewer))
    .orderBy('repositories.id')
    .execute();
export type GroupRepo = Awaited<ReturnType<typeof reposOf>>[number];

/** The ids of all that is in a group. */
export async function repoIdsOf(executor: Executor, groupId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom('repositories')
    .select('id')
    .where('resource_group_id', '=', groupId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function countUsers(executor: ReadExecutor, groupId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('resource_group_users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow();
  return count;
}

/** A user in a group, by name. */
export const findGroupUser = (executor: Executor, groupId: string, nameKey: string) =>
  executor
    .selectFrom('resource_group_users as member')
    .innerJoin('accounts', 'accounts.id', 'member.user_id')
    .select(['accounts.id', 'accounts.name', 'member.role'])
    .where('member.group_id', '=', groupId)
    .where('accounts.name_key', '=', nameKey)
    .executeTakeFirst();

export async function setUsersRole(
  tx: Executor,
  groupId: string,
  userIds: readonly string[],
  role: { readonly name: string; readonly base: BuiltInRole },
): Promise<void> {
  await tx
    .updateTable('resource_group_users')
    .set({ role: role.name, base_role: role.base })
    .where('group_id', '=', groupId)
    .where(whereIn(tx, 'user_id', userIds))
    .execute();
}

export async function removeUsers(tx: Executor, groupId: string, userIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('resource_group_users')
    .where('group_id', '=', groupId)
    .where(whereIn(tx, 'user_id', userIds))
    .execute();
}

/** What a user is in the groups of an organization. */
export const standingsOf = (executor: ReadExecutor, orgId: string, userId: string) =>
  executor
    .selectFrom('resource_group_users as member')
    .innerJoin('resource_groups', 'resource_groups.id', 'member.group_id')
    .select(['resource_groups.id', 'resource_groups.name', 'resource_groups.managed_by', 'member.role'])
    .select('member.base_role as base')
    .where('resource_groups.org_id', '=', orgId)
    .where('member.user_id', '=', userId)
    .orderBy('resource_groups.id')
    .execute();

/** The least role that may create groups: `admin` where the organization says nothing else. */
export async function groupCreators(executor: ReadExecutor, orgId: string): Promise<BuiltInRole> {
  const row = await executor
    .selectFrom('organization_settings')
    .select('group_creators')
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  const least = BuiltInRole.exclude(['no_access']).safeParse(row?.group_creators);
  return least.success ? least.data : 'admin';
}

/** Users by the form of their names that is compared, those that there are. */
export const usersByKeys = (executor: Executor, keys: readonly string[]) =>
  executor
    .selectFrom('accounts')
    .select(['id', 'name', 'name_key'])
    .where('kind', '=', 'user')
    .where(whereIn(executor, 'name_key', keys))
    .execute();
