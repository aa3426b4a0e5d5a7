import type { BuiltInRole } from '@moonbase/contract/primitives';
import { type Insertable, type SqlBool, sql } from 'kysely';
import type { AccountRow } from '../accounts/index.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Tables } from '../platform/database/tables.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { RepoFacts, Standing } from './policy.ts';
import { notDeleted } from './readable.ts';

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
export const membershipOf = async (
  executor: ReadExecutor,
  orgId: string,
  userId: string,
): Promise<NamedRole | undefined> => (await rolesIn(executor, { orgId, userId }))[0];

/** The same, as the built-in role that it stands on: what decides. */
export const membershipRole = async (
  executor: ReadExecutor,
  orgId: string,
  userId: string,
): Promise<BuiltInRole | undefined> => (await membershipOf(executor, orgId, userId))?.base;

/** The same; none where the organization is deleted. */
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

/** What the rule of access asks of a user: one query, the same one whatever there is to find. */
export async function standingOn(
  executor: ReadExecutor,
  { ownerId, groupId }: Pick<RepoFacts, 'ownerId' | 'groupId'>,
  userId: string,
): Promise<Standing> {
  const [row] = await standings(executor, { orgId: ownerId, groupId: groupId ?? '', userId });
  return { membership: row?.membership ?? undefined, group: row?.group ?? undefined };
}

/** Adds a member or changes the role of one. Whom an identity provider knows already is marked as such. */
export async function setMembership(
  tx: Executor,
  membership: Omit<Insertable<Tables['memberships']>, 'in_scim'>,
): Promise<void> {
  const { org_id, user_id, role, base_role } = membership;
  const in_scim = sql<number>`(select count(*) from scim_users where org_id = ${org_id} and user_id = ${user_id})`;
  await tx
    .insertInto('memberships')
    .values({ ...membership, in_scim })
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role, base_role }))
    .execute();
}

export async function removeMembership(tx: Executor, orgId: string, userId: string): Promise<void> {
  await tx.deleteFrom('memberships').where('org_id', '=', orgId).where('user_id', '=', userId).execute();
}

/** Text in which case does not count; a sigma is in lower case another letter at the end of a word. */
export const foldedForSearch = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/** What members are searched by. Short, as it stands in an index. */
export const searchKey = ({ name, fullname }: Pick<AccountRow, 'name' | 'fullname'>): string =>
  foldedForSearch(`${name} ${fullname}`).slice(0, 300);

export async function countAdmins(executor: Executor, orgId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    // In the words of the partial index.
    .where(sql<SqlBool>`base_role = 'admin'`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether an organization has an admin who is not disabled; true where it is gone. */
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

/** The name of an organization that has no enabled admin but this user, if any. */
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

/** The organizations of a user with the built-in role in each, in the order of joining. */
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
