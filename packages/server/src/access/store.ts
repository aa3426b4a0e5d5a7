import type { BuiltInRole } from '@moonbase/contract/primitives';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { prepared } from '../platform/database/prepared.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { readingScope } from './policy.ts';

const rolesIn = prepared<{ orgId: string; userId: string }>()((executor, argument) =>
  executor
    .selectFrom('memberships')
    .select('role')
    .where('org_id', '=', argument('orgId'))
    .where('user_id', '=', argument('userId')),
);

export const membershipRole = async (
  executor: Executor,
  orgId: string,
  userId: string,
): Promise<BuiltInRole | undefined> => (await rolesIn(executor, { orgId, userId }))[0]?.role;

/** Adds a member or changes the role of one. */
export async function setMembership(
  executor: Executor,
  membership: { org_id: string; user_id: string; role: BuiltInRole; created_at: number },
): Promise<void> {
  await executor
    .insertInto('memberships')
    .values(membership)
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role: membership.role }))
    .execute();
}

export async function removeMembership(executor: Executor, orgId: string, userId: string): Promise<void> {
  await executor.deleteFrom('memberships').where('org_id', '=', orgId).where('user_id', '=', userId).execute();
}

export async function countAdmins(executor: Executor, orgId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('role', '=', 'admin')
    .executeTakeFirstOrThrow();
  return count;
}

/** The organizations of a user with the role in each, in the order of joining. */
export const membershipsOf = (executor: Executor, userId: string) =>
  executor
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.org_id')
    .selectAll('accounts')
    .select('memberships.role as role')
    .where('memberships.user_id', '=', userId)
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

/**
 * The condition that a user may read a repository, to be joined to any query: the twin of `repoRole` in SQL.
 * The facts are columns of the query, or values.
 */
export const readable = (
  repo: { private: Expression<number>; ownerId: Expression<string> },
  userId: Expression<string>,
): RawBuilder<boolean> => sql<boolean>`(
  ${repo.private} = 0 or ${repo.ownerId} = ${userId} or exists (
    select 1 from memberships m where m.org_id = ${repo.ownerId} and m.user_id = ${userId} and m.role <> 'no_access'
  )
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
  const ofUser = readable(repo, sql.val(userId));
  const scope = readingScope(token);
  if (scope === undefined) return ofUser;
  const reached =
    scope.length === 0
      ? sql`1 = 0`
      : sql`${repo.id} in (${sql.join(scope)}) or ${repo.ownerId} in (${sql.join(scope)})`;
  return sql<boolean>`(${ofUser} and (${repo.private} = 0 or ${reached}))`;
}
