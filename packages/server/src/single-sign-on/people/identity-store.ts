import { sql } from 'kysely';
import { type Executor, forUpdateOf, type ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { IdentityRow } from '../tables.ts';

/** Returns the identity of a person at a provider, locked until the end of the transaction. */
export const lockIdentity = (
  tx: Executor,
  { provider, issuer, subject }: Pick<IdentityRow, 'provider' | 'issuer' | 'subject'>,
): Promise<IdentityRow | undefined> =>
  tx
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .modifyEnd(forUpdateOf(tx, 'identities'))
    .executeTakeFirst();

/** Returns the identities of a user, oldest first, each with the name of the organization whose provider it is. */
export const identitiesOf = (executor: ReadExecutor, userId: string) =>
  executor
    .selectFrom('identities')
    .leftJoin('accounts as organization', 'organization.id', 'identities.org_id')
    .selectAll('identities')
    .select('organization.name as organization')
    .where('user_id', '=', userId)
    .orderBy('identities.id')
    .execute();

/** Throws if somebody already has the identity. */
export async function insertIdentity(tx: Executor, row: IdentityRow): Promise<void> {
  await tx.insertInto('identities').values(row).execute();
}

export async function touchIdentity(
  tx: Executor,
  id: string,
  change: Pick<IdentityRow, 'used_at' | 'email' | 'owned'>,
): Promise<void> {
  await tx.updateTable('identities').set(change).where('id', '=', id).execute();
}

export async function deleteIdentity(tx: Executor, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** An account that an organization created by SCIM. */
export interface ProvisionedAccount {
  readonly userId: string;
  readonly orgId: string;
}

/**
 * Returns at most two accounts that some organizations created by SCIM for a person, found by the external id or else
 * by the user name; two results mean that the match is ambiguous.
 */
export async function provisionedFor(
  tx: Executor,
  orgIds: readonly string[],
  { externalId, userNameKey }: { readonly externalId: string; readonly userNameKey: string },
): Promise<ProvisionedAccount[]> {
  const provisioned = () =>
    tx
      .selectFrom('scim_users')
      .select(['user_id as userId', 'org_id as orgId'])
      .where(whereIn(tx, 'org_id', orgIds))
      .where('owned', '=', 1)
      .limit(2);
  const known = await provisioned().where('external_id', '=', externalId).execute();
  if (known.length > 0 || userNameKey === '') return known;
  return provisioned()
    .where('user_name_key', '=', userNameKey)
    .where(sql<boolean>`not exists (select 1 from identities known where known.user_id = scim_users.user_id)`)
    .execute();
}

/** Returns whether an organization created an account by SCIM. */
export const isProvisioned = async (tx: Executor, orgId: string, userId: string): Promise<boolean> =>
  (await tx
    .selectFrom('scim_users')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('owned', '=', 1)
    .executeTakeFirst()) !== undefined;

/** Returns whether a user can sign in without one identity: with a password or with another identity. */
export async function hasOtherWayIn(executor: ReadExecutor, userId: string, except: string): Promise<boolean> {
  const password = await executor
    .selectFrom('passwords')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const other = await executor
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '<>', except)
    .limit(1)
    .executeTakeFirst();
  return password !== undefined || other !== undefined;
}

/** Returns whether another enabled site administrator exists. */
export const hasOtherSiteAdmin = async (executor: ReadExecutor, userId: string): Promise<boolean> =>
  (await executor
    .selectFrom('accounts')
    .select('id')
    // Literally the condition of the partial index.
    .where(sql<boolean>`site_admin = 1`)
    .where('disabled_at', 'is', null)
    .where('id', '<>', userId)
    .limit(1)
    .executeTakeFirst()) !== undefined;
