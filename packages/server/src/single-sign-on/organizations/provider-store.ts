import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { OrganizationProviderRow } from '../tables.ts';

export const findOrganizationProvider = (
  executor: ReadExecutor,
  orgId: string,
): Promise<OrganizationProviderRow | undefined> =>
  executor.selectFrom('organization_providers').selectAll().where('id', '=', orgId).executeTakeFirst();

/** Returns the providers of organizations that have an issuer. */
export const providersOfIssuer = (executor: ReadExecutor, issuer: string): Promise<OrganizationProviderRow[]> =>
  executor.selectFrom('organization_providers').selectAll().where('issuer', '=', issuer).execute();

export async function putOrganizationProvider(tx: Executor, row: OrganizationProviderRow): Promise<void> {
  const { id: _id, created_at: _createdAt, ...change } = row;
  await tx
    .insertInto('organization_providers')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute();
}

/** Deletes the provider of an organization; returns whether there was one. */
export async function deleteOrganizationProvider(tx: Executor, orgId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('organization_providers')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Returns whether an organization has an enabled admin other than a user. */
export const hasOtherAdmin = async (tx: Executor, orgId: string, userId: string): Promise<boolean> =>
  (await tx
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.user_id')
    .select('memberships.user_id')
    .where('memberships.org_id', '=', orgId)
    // Literally the condition of the partial index.
    .where(sql<boolean>`base_role = 'admin'`)
    .where('accounts.disabled_at', 'is', null)
    .where('memberships.user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst()) !== undefined;
