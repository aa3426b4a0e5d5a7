import { sql } from 'kysely';
import type { VouchedAddresses } from '../../organizations/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { notificationsOn } from '../../settings/index.ts';
import { isOptional } from '../policy.ts';

interface Addressee {
  readonly userId: string;
  readonly kind: string;
  /** The owner of the repository that the mail is about; empty for a mail that is about no repository. */
  readonly ownerId: string;
}

/**
 * Returns the confirmed address to which a user's mails of a kind go: the account's own address, or else the address that
 * an organization vouches for. That organization is the owner of the repository; for mails about no repository it is the
 * organization whose SCIM client created the account. Returns undefined where the user turned the kind off, has no address
 * or is disabled.
 */
export async function findAddress(
  executor: Executor,
  { addressOf }: VouchedAddresses,
  { userId, kind, ownerId }: Addressee,
): Promise<string | undefined> {
  const vouched = addressOf(executor, { userId: sql.ref('accounts.id'), ownerId: sql.val(ownerId) });
  const account = executor
    .selectFrom('accounts')
    .select((eb) => eb.fn.coalesce('accounts.email', vouched).as('email'))
    .where('accounts.id', '=', userId)
    .where('accounts.disabled_at', 'is', null);
  const wanted = isOptional(kind) ? account.where(notificationsOn(sql.ref('accounts.id'), kind)) : account;
  return (await wanted.executeTakeFirst())?.email ?? undefined;
}
