import { sql } from 'kysely';
import type { Executor } from '../platform/database/transaction.ts';
import { notificationsOn } from '../settings/index.ts';
import { isOptional } from './policy.ts';

/**
 * The address of a user for mails of a kind; undefined where the user has turned that kind off or has no address.
 * Every address that accounts keep is a confirmed one: administrators and identity providers set them.
 */
export async function addressFor(executor: Executor, userId: string, kind: string): Promise<string | undefined> {
  const account = executor.selectFrom('accounts').select('accounts.email').where('accounts.id', '=', userId);
  const wanted = isOptional(kind) ? account.where(notificationsOn(sql.ref('accounts.id'), kind)) : account;
  return (await wanted.executeTakeFirst())?.email ?? undefined;
}
