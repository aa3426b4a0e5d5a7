import { sql } from 'kysely';
import { vouchedAddress } from '../organizations/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { notificationsOn } from '../settings/index.ts';
import { isOptional } from './policy.ts';

/**
 * The confirmed address of a user for mails of a kind: the account's own, otherwise the one that an organization vouches
 * for, within it. `ownerId` is whose repository a mail is about; empty: none, and the organization is the one whose SCIM
 * made the account. Undefined where the user has turned the kind off, has no address or is disabled.
 */
export async function addressFor(
  executor: Executor,
  { userId, kind, ownerId }: { readonly userId: string; readonly kind: string; readonly ownerId: string },
): Promise<string | undefined> {
  const vouched = vouchedAddress(executor, { userId: sql.ref('accounts.id'), ownerId: sql.val(ownerId) });
  const account = executor
    .selectFrom('accounts')
    .select(sql<string | null>`coalesce(accounts.email, ${vouched})`.as('email'))
    .where('accounts.id', '=', userId)
    .where('accounts.disabled_at', 'is', null);
  const wanted = isOptional(kind) ? account.where(notificationsOn(sql.ref('accounts.id'), kind)) : account;
  return (await wanted.executeTakeFirst())?.email ?? undefined;
}
