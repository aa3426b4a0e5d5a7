import type { BuiltInRole } from '@moonbase/contract/primitives';
import { type SqlBool, sql } from 'kysely';
import { notDeleted } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';

export const accountsByKeys = (executor: ReadExecutor, keys: readonly string[]) =>
  executor
    .selectFrom('accounts')
    .select(['id', 'kind', 'name', 'name_key', 'disabled_at'])
    .where(whereIn(executor, 'name_key', keys))
    .execute();

export const tokensByHash = (executor: ReadExecutor, hashes: readonly string[]) =>
  executor
    .selectFrom('tokens')
    .select(['id', 'hash'])
    .where(whereIn(executor, 'hash', hashes))
    .execute();

export interface AdminRow {
  readonly orgId: string;
  readonly orgName: string;
  readonly userId: string;
  readonly base: BuiltInRole;
  readonly enabled: number;
}

const adminRows = (executor: ReadExecutor) =>
  executor
    .selectFrom('memberships')
    .innerJoin('accounts as org', 'org.id', 'memberships.org_id')
    .innerJoin('accounts as member', 'member.id', 'memberships.user_id')
    .select(['memberships.org_id as orgId', 'org.name as orgName', 'memberships.user_id as userId'])
    .select('memberships.base_role as base')
    .select(sql<number>`case when member.disabled_at is null then 1 else 0 end`.as('enabled'))
    // Literally the condition of the partial index.
    .where(sql<SqlBool>`memberships.base_role = 'admin'`);

/** Returns the admins of some organizations. */
export const adminsOf = (executor: ReadExecutor, orgIds: readonly string[]): Promise<AdminRow[]> =>
  adminRows(executor)
    .where(whereIn(executor, 'memberships.org_id', orgIds))
    .execute();

/** Returns the organizations, except deleted ones, of which some users are admins. */
export async function adminedBy(executor: ReadExecutor, userIds: readonly string[]): Promise<string[]> {
  const rows = await executor
    .selectFrom('memberships')
    .select('org_id')
    .distinct()
    .where(whereIn(executor, 'user_id', userIds))
    .where(sql<SqlBool>`base_role = 'admin'`)
    .where(notDeleted(sql.ref('memberships.org_id')))
    .execute();
  return rows.map((row) => row.org_id);
}

/** Returns the roles of some users in an organization. */
export const rolesOf = (executor: ReadExecutor, orgId: string, userIds: readonly string[]) =>
  executor
    .selectFrom('memberships')
    .select(['user_id', 'role', 'base_role'])
    .where('org_id', '=', orgId)
    .where(whereIn(executor, 'user_id', userIds))
    .execute();

export const customRolesOf = (executor: ReadExecutor, orgIds: readonly string[]) =>
  executor
    .selectFrom('custom_roles')
    .select(['org_id', 'name', 'name_key', 'base'])
    .where(whereIn(executor, 'org_id', orgIds))
    .execute();

/** Returns the authors of the canonical articles of some slugs; if a slug has several, of the oldest. */
export const canonicalAuthors = (executor: ReadExecutor, slugs: readonly string[]) =>
  executor
    .selectFrom('posts')
    .select(['slug', 'author_id'])
    .where('kind', '=', 'article')
    .where('canonical', '=', 1)
    .where(whereIn(executor, 'slug', slugs))
    .orderBy('id')
    .execute();
