import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { AppRow } from '../tables.ts';

/** Returns an application with the name of its owner, who must be enabled. */
export const findApp = (executor: ReadExecutor, clientId: string) =>
  executor
    .selectFrom('oauth_apps')
    .innerJoin('accounts', 'accounts.id', 'oauth_apps.owner_id')
    .selectAll('oauth_apps')
    .select('accounts.name as owner')
    .where('client_id', '=', clientId)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();

/** Returns the applications of a user, newest first. */
export const appsOf = (executor: ReadExecutor, ownerId: string): Promise<AppRow[]> =>
  executor
    .selectFrom('oauth_apps')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at', 'desc')
    .orderBy('client_id', 'desc')
    .execute();

export async function insertApp(tx: Executor, row: AppRow): Promise<void> {
  await tx.insertInto('oauth_apps').values(row).execute();
}

/** Changes an application of a user. Returns the application; undefined if the user has none with this id. */
export const updateApp = (
  tx: Executor,
  { ownerId, clientId }: { readonly ownerId: string; readonly clientId: string },
  change: Partial<AppRow>,
): Promise<AppRow | undefined> =>
  tx
    .updateTable('oauth_apps')
    .set(change)
    .where('owner_id', '=', ownerId)
    .where('client_id', '=', clientId)
    .returningAll()
    .executeTakeFirst();

/** Deletes an application of a user; returns whether it existed. */
export async function deleteApp(tx: Executor, ownerId: string, clientId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauth_apps')
    .where('owner_id', '=', ownerId)
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
