import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { OWN_CLIENT_IDS } from '../apps/app.ts';
import type { GrantRow } from '../tables.ts';

export async function insertGrant(tx: Executor, row: GrantRow): Promise<void> {
  await tx.insertInto('oauth_grants').values(row).execute();
}

/** Returns a grant whose user is enabled. */
export const findUsableGrant = (executor: ReadExecutor, id: string): Promise<GrantRow | undefined> =>
  executor
    .selectFrom('oauth_grants')
    .innerJoin('accounts', 'accounts.id', 'oauth_grants.user_id')
    .selectAll('oauth_grants')
    .where('oauth_grants.id', '=', id)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();

export const findGrant = (executor: ReadExecutor, id: string): Promise<GrantRow | undefined> =>
  executor.selectFrom('oauth_grants').selectAll().where('id', '=', id).executeTakeFirst();

/** Returns the grants of a user with their applications, newest first; grants of deleted applications are omitted. */
export const grantsOf = (executor: ReadExecutor, userId: string, limit: number) =>
  executor
    .selectFrom('oauth_grants')
    .innerJoin('tokens', 'tokens.id', 'oauth_grants.id')
    .leftJoin('oauth_apps', 'oauth_apps.client_id', 'oauth_grants.client_id')
    .leftJoin('accounts as owner', 'owner.id', 'oauth_apps.owner_id')
    .selectAll('oauth_grants')
    .select(['tokens.last_used_at as lastUsedAt', 'oauth_apps.name as appName', 'owner.name as owner'])
    .where('oauth_grants.user_id', '=', userId)
    .where((is) =>
      is.or([is('oauth_apps.client_id', 'is not', null), is('oauth_grants.client_id', 'in', OWN_CLIENT_IDS)]),
    )
    .orderBy('oauth_grants.id', 'desc')
    .limit(limit)
    .execute();

/** Returns the ids of grants without any token or code, or without an application. */
export async function orphanedGrants(executor: ReadExecutor, before: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select g.id from oauth_grants g
    where g.created_at < ${before} and (
      not exists (select 1 from oauth_tokens t where t.grant_id = g.id)
      or g.client_id not in (${sql.join(OWN_CLIENT_IDS)})
        and not exists (select 1 from oauth_apps a where a.client_id = g.client_id)
    ) limit ${limit}`.execute(executor);
  return rows.map(({ id }) => id);
}
