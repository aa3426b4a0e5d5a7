import { BuiltInRole } from '@moonbase/contract/primitives';
import { type ResourceGroup, readableBy, repoColumns } from '../access/index.ts';
import { collectionReadableBy } from '../collections/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { Principal } from '../platform/http/authenticate.ts';

export type Group = ResourceGroup;

export const findGroup = (executor: ReadExecutor, id: string): Promise<Group | undefined> =>
  executor.selectFrom('resource_groups').selectAll().where('id', '=', id).executeTakeFirst();

/** Returns the groups of an organization in order of creation; with `userId` only groups that the user is in. */
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

/** Returns the groups that new members of an organization join automatically. */
export const autoJoinGroups = (executor: Executor, orgId: string): Promise<Group[]> =>
  executor
    .selectFrom('resource_groups')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('auto_join_role', 'is not', null)
    .where('managed_by', 'is', null)
    .execute();

/** Returns the users of some groups, in the order in which they were added. */
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

/** Returns the repositories in some groups that the viewer may read. */
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

/** Returns the collections in some groups that the viewer may read. */
export const collectionsOf = (executor: ReadExecutor, groupIds: readonly string[], viewer: Principal) =>
  executor
    .selectFrom('collections')
    .innerJoin('accounts', 'accounts.id', 'collections.owner_id')
    .select([
      'collections.resource_group_id as groupId',
      'collections.id',
      'collections.slug',
      'collections.title',
      'collections.private',
      'accounts.name as ownerName',
    ])
    .where(whereIn(executor, 'collections.resource_group_id', groupIds))
    .where(collectionReadableBy(viewer))
    .orderBy('collections.id')
    .execute();
export type GroupCollection = Awaited<ReturnType<typeof collectionsOf>>[number];

/** Returns the ids of all repositories in a group. */
export async function repoIdsOf(executor: Executor, groupId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom('repositories')
    .select('id')
    .where('resource_group_id', '=', groupId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function countCollectionsIn(executor: Executor, groupId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('collections')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('resource_group_id', '=', groupId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function countUsers(executor: ReadExecutor, groupId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('resource_group_users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns a user in a group, by name. */
export const findGroupUser = (executor: Executor, groupId: string, nameKey: string) =>
  executor
    .selectFrom('resource_group_users as member')
    .innerJoin('accounts', 'accounts.id', 'member.user_id')
    .select(['accounts.id', 'accounts.name', 'member.role'])
    .where('member.group_id', '=', groupId)
    .where('accounts.name_key', '=', nameKey)
    .executeTakeFirst();

/** Returns the roles of a user in the groups of an organization. */
export const groupRolesOf = (executor: ReadExecutor, orgId: string, userId: string) =>
  executor
    .selectFrom('resource_group_users as member')
    .innerJoin('resource_groups', 'resource_groups.id', 'member.group_id')
    .select(['resource_groups.id', 'resource_groups.name', 'resource_groups.managed_by', 'member.role'])
    .select(['member.base_role as base', 'member.by_sign_in as bySignIn'])
    .where('resource_groups.org_id', '=', orgId)
    .where('member.user_id', '=', userId)
    .orderBy('resource_groups.id')
    .execute();

/** Returns the lowest role that may create groups; `admin` by default. */
export async function groupCreators(executor: ReadExecutor, orgId: string): Promise<BuiltInRole> {
  const row = await executor
    .selectFrom('organization_settings')
    .select('group_creators')
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  const least = BuiltInRole.exclude(['no_access']).safeParse(row?.group_creators);
  return least.success ? least.data : 'admin';
}

/** Returns the existing users with some name keys. */
export const usersByKeys = (executor: Executor, keys: readonly string[]) =>
  executor
    .selectFrom('accounts')
    .select(['id', 'name', 'name_key'])
    .where('kind', '=', 'user')
    .where(whereIn(executor, 'name_key', keys))
    .execute();
