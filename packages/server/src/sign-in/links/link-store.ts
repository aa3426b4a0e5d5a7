import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { LinkRow } from '../tables.ts';

export const findLink = (executor: ReadExecutor, hash: string): Promise<LinkRow | undefined> =>
  executor.selectFrom('one_time_links').selectAll().where('hash', '=', hash).executeTakeFirst();

export async function insertLink(tx: Executor, row: LinkRow): Promise<void> {
  await tx.insertInto('one_time_links').values(row).execute();
}

/** Marks a link as used; returns false if the link is used already or has expired. */
export async function spendLink(tx: Executor, hash: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Invalidates the open links of a user for some purposes. */
export async function spendLinksOf(
  tx: Executor,
  userId: string,
  purposes: readonly LinkRow['purpose'][],
  now: number,
): Promise<void> {
  await tx
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .execute();
}

/** Invalidates the open links that create an account with an address. */
export async function spendSignUpLinks(tx: Executor, email: string, now: number): Promise<void> {
  await tx
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('user_id', 'is', null)
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .execute();
}

/** Returns the number of links for creating an account that were mailed to an address since a time. */
export async function countSignUpLinks(executor: ReadExecutor, email: string, since: number): Promise<number> {
  const { count } = await executor
    .selectFrom('one_time_links')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('user_id', 'is', null)
    .where('email', '=', email)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the open link of a user that confirms an address, if any. */
export const findPendingEmail = (executor: ReadExecutor, userId: string, now: number) =>
  executor
    .selectFrom('one_time_links')
    .select(['email', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where('purpose', '=', 'email')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Returns the number of links mailed to a user for a purpose since a time. */
export async function countMailedLinks(
  executor: ReadExecutor,
  userId: string,
  purpose: LinkRow['purpose'],
  since: number,
): Promise<number> {
  const { count } = await executor
    .selectFrom('one_time_links')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('created_at', '>', since)
    .where('nonce', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes at most `limit` links that expired before a time; returns the number of deleted links. */
export async function deleteOldLinks(tx: Executor, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('one_time_links')
    .where('hash', 'in', (of) =>
      of.selectFrom('one_time_links').select('hash').where('expires_at', '<', before).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
