import type { BuiltInRole } from '@moonbase/contract/primitives';
import { type Expression, type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountRow, Tables } from '../platform/database/tables.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { readingScope } from './policy.ts';

const rolesIn = prepared<{ orgId: string; userId: string }>()((executor, argument) =>
  executor
    .selectFrom('memberships')
    .select(['role as name', 'base_role as base'])
    .where('org_id', '=', argument('orgId'))
    .where('user_id', '=', argument('userId')),
);

/** A role by its name, with the built-in one that it stands on. */
export interface NamedRole {
  readonly name: string;
  readonly base: BuiltInRole;
}

/** The role of a user in an organization, if any. */
export const membershipOf = async (executor: Executor, orgId: string, userId: string): Promise<NamedRole | undefined> =>
  (await rolesIn(executor, { orgId, userId }))[0];

/** The same, as the built-in role that it stands on: what decides. */
export const membershipRole = async (
  executor: Executor,
  orgId: string,
  userId: string,
): Promise<BuiltInRole | undefined> => (await membershipOf(executor, orgId, userId))?.base;

/** Adds a member or changes the role of one. */
export async function setMembership(executor: Executor, membership: Insertable<Tables['memberships']>): Promise<void> {
  const { role, base_role } = membership;
  await executor
    .insertInto('memberships')
    .values(membership)
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role, base_role }))
    .execute();
}

export async function removeMembership(executor: Executor, orgId: string, userId: string): Promise<void> {
  await executor.deleteFrom('memberships').where('org_id', '=', orgId).where('user_id', '=', userId).execute();
}

/** Ends what a user is in the groups of an organization. */
export async function removeFromGroups(tx: Executor, orgId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('resource_group_users')
    .where('user_id', '=', userId)
    .where('group_id', 'in', (groups) => groups.selectFrom('resource_groups').select('id').where('org_id', '=', orgId))
    .execute();
}

/** Whether an organization has an admin; true where it is gone. */
export async function hasAdmin(executor: Executor, orgId: string): Promise<boolean> {
  const found = await executor
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', orgId)
    .where(
      sql<SqlBool>`not exists (select 1 from memberships m where m.org_id = accounts.id and m.base_role = 'admin')`,
    )
    .executeTakeFirst();
  return found === undefined;
}

/** What members are searched by. Short, as it stands in an index. */
export const searchKey = ({ name, fullname }: Pick<AccountRow, 'name' | 'fullname'>): string =>
  `${name} ${fullname}`.toLowerCase().slice(0, 300);

export async function countAdmins(executor: Executor, orgId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('base_role', '=', 'admin')
    .executeTakeFirstOrThrow();
  return count;
}

/** The organizations of a user with the role in each, in the order of joining. */
export const membershipsOf = (executor: Executor, userId: string) =>
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

export async function countMembers(executor: Executor, orgId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The condition that an owner is no organization that has been deleted; there are few of these at a time. */
export const notDeleted = (ownerId: Expression<string>): RawBuilder<boolean> =>
  sql<boolean>`${ownerId} not in (select org_id from organization_settings where deleted_at is not null)`;

/**
 * The condition that a user may read a repository, to be joined to any query: the twin of `repoRole` in SQL.
 * The facts are columns of the query, or values.
 */
export const readable = (
  repo: { private: Expression<number>; ownerId: Expression<string> },
  userId: Expression<string>,
): RawBuilder<boolean> => sql<boolean>`(
  ${notDeleted(repo.ownerId)} and (${repo.private} = 0 or ${repo.ownerId} = ${userId} or exists (
    select 1 from memberships m
    where m.org_id = ${repo.ownerId} and m.user_id = ${userId} and m.base_role <> 'no_access'
  ))
)`;

/** The same for a repository whose facts are known: who of the users of a query may read it. */
export const readersOf = (
  repo: { private: boolean; ownerId: string },
  userId: Expression<string>,
): RawBuilder<boolean> =>
  readable(
    {
      private: sql<number>`cast(${repo.private ? 1 : 0} as integer)`,
      ownerId: sql<string>`cast(${repo.ownerId} as text)`,
    },
    userId,
  );

/** The same for a caller, whose token may reach less than its user: the twin of `roleOf` in SQL. */
export function readableBy(
  repo: { id: Expression<string>; private: Expression<number>; ownerId: Expression<string> },
  { userId, token }: Principal,
): RawBuilder<boolean> {
  const cutOff = Object.keys(token.cutOff ?? {});
  const ofUser =
    cutOff.length === 0
      ? readable(repo, sql.val(userId))
      : sql<boolean>`(${repo.ownerId} not in (${sql.join(cutOff)}) and ${readable(repo, sql.val(userId))})`;
  const scope = readingScope(token);
  if (scope === undefined) return ofUser;
  const reached =
    scope.length === 0
      ? sql`1 = 0`
      : sql`${repo.id} in (${sql.join(scope)}) or ${repo.ownerId} in (${sql.join(scope)})`;
  return sql<boolean>`(${ofUser} and (${repo.private} = 0 or ${reached}))`;
}
