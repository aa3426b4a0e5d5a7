import type { BuiltInRole } from '@moonbase/contract/primitives';
import { type SqlBool, sql } from 'kysely';
import type { AccountRow } from '../accounts/index.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Reader, RepoFacts, RolesOnRepo } from './policy.ts';
import { notDeleted } from './readable-conditions.ts';

const rolesIn = prepared<{ orgId: string; userId: string }>()((executor, argument) =>
  executor
    .selectFrom('memberships')
    .select(['role as name', 'base_role as base'])
    .where('org_id', '=', argument('orgId'))
    .where('user_id', '=', argument('userId')),
);

/** A role by name, with its base role (the role itself if it is built in). */
export interface NamedRole {
  readonly name: string;
  readonly base: BuiltInRole;
}

/** Returns the role of a user in an organization, if any. */
export const membershipOf = async (
  executor: ReadExecutor,
  orgId: string,
  userId: string,
): Promise<NamedRole | undefined> => (await rolesIn(executor, { orgId, userId }))[0];

/** Returns the base role of a user in an organization, which decides access. */
export const membershipRole = async (
  executor: ReadExecutor,
  orgId: string,
  userId: string,
): Promise<BuiltInRole | undefined> => (await membershipOf(executor, orgId, userId))?.base;

/** Like `membershipRole`, but returns undefined if the organization is deleted. */
export async function currentRole(
  executor: ReadExecutor,
  orgId: string,
  userId: string,
): Promise<BuiltInRole | undefined> {
  const row = await executor
    .selectFrom('memberships')
    .select('base_role')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where(notDeleted(sql.ref('memberships.org_id')))
    .executeTakeFirst();
  return row?.base_role;
}

interface StandingRow {
  readonly membership: BuiltInRole | null;
  readonly group: BuiltInRole | null;
}
const standings = prepared<{ orgId: string; groupId: string; userId: string }>()((executor, argument) =>
  executor.selectNoFrom([
    sql<StandingRow['membership']>`(
      select base_role from memberships where org_id = ${argument('orgId')} and user_id = ${argument('userId')}
    )`.as('membership'),
    sql<StandingRow['group']>`(
      select base_role from resource_group_users
      where group_id = ${argument('groupId')} and user_id = ${argument('userId')}
    )`.as('group'),
  ]),
);

/** Returns the roles of a user that decide access to a repository, always with the same single query. */
export async function rolesOn(
  executor: ReadExecutor,
  { ownerId, groupId }: Pick<RepoFacts, 'ownerId' | 'groupId'>,
  userId: Reader['userId'],
): Promise<RolesOnRepo> {
  const [row] = await standings(executor, { orgId: ownerId, groupId: groupId ?? '', userId: userId ?? '' });
  return { membership: row?.membership ?? undefined, group: row?.group ?? undefined };
}

/** Folds case for search. Both lower-case forms of sigma are treated as equal. */
export const foldedForSearch = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/** Returns the text by which members are searched; short, because it is indexed. */
export const searchKey = ({ name, fullname }: Pick<AccountRow, 'name' | 'fullname'>): string =>
  foldedForSearch(`${name} ${fullname}`).slice(0, 300);

export async function countAdmins(executor: Executor, orgId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    // Literally the condition of the partial index.
    .where(sql<SqlBool>`base_role = 'admin'`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns whether an organization has an enabled admin; true if the organization no longer exists. */
export async function hasAdmin(executor: Executor, orgId: string): Promise<boolean> {
  const found = await executor
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', orgId)
    .where(
      sql<SqlBool>`not exists (
        select 1 from memberships m join accounts u on u.id = m.user_id
        where m.org_id = accounts.id and m.base_role = 'admin' and u.disabled_at is null
      )`,
    )
    .executeTakeFirst();
  return found === undefined;
}

/** Returns the name of an organization whose only enabled admin is this user, if any. */
export async function soleAdminOf(executor: Executor, userId: string): Promise<string | undefined> {
  const row = await executor
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.org_id')
    .select('accounts.name')
    .where('memberships.user_id', '=', userId)
    .where('memberships.base_role', '=', 'admin')
    .where(notDeleted(sql.ref('memberships.org_id')))
    .where(
      sql<SqlBool>`not exists (
        select 1 from memberships m join accounts u on u.id = m.user_id
        where m.org_id = accounts.id and m.base_role = 'admin' and m.user_id <> ${userId} and u.disabled_at is null
      )`,
    )
    .orderBy('accounts.name_key')
    .limit(1)
    .executeTakeFirst();
  return row?.name;
}

/** Returns the organizations of a user with the base role in each, in the order of joining. */
export const membershipsOf = (executor: ReadExecutor, userId: string) =>
  executor
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.org_id')
    .selectAll('accounts')
    .leftJoin('organization_settings', 'organization_settings.org_id', 'accounts.id')
    .select([
      'memberships.base_role as role',
      sql<number>`coalesce(organization_settings.members_private, 0)`.as('membersPrivate'),
    ])
    .where('memberships.user_id', '=', userId)
    .where('organization_settings.deleted_at', 'is', null)
    .orderBy('memberships.created_at')
    .orderBy('accounts.id')
    .execute();

export async function countMembers(executor: ReadExecutor, orgId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the distinct plans of the organizations of a user. */
export async function plansOf(executor: ReadExecutor, userId: string) {
  const rows = await executor
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.org_id')
    .leftJoin('organization_settings', 'organization_settings.org_id', 'accounts.id')
    .select('accounts.plan')
    .distinct()
    .where('memberships.user_id', '=', userId)
    .where('organization_settings.deleted_at', 'is', null)
    .execute();
  return rows.map(({ plan }) => plan);
}

export async function isPro(executor: ReadExecutor, userId: string): Promise<boolean> {
  const row = await executor.selectFrom('accounts').select('pro').where('id', '=', userId).executeTakeFirst();
  return row?.pro === 1;
}
