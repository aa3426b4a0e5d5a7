import { type Expression, type RawBuilder, sql } from 'kysely';
import { isPostgres, type ReadExecutor } from '../platform/database/transaction.ts';

/**
 * The address that an organization's SCIM gives a user, where it is of a domain that a site administrator has given to
 * the organization; otherwise null. `ownerId` is the organization; empty: the one whose SCIM made the account.
 */
export function vouchedAddress(
  executor: ReadExecutor,
  { userId, ownerId }: { readonly userId: Expression<string>; readonly ownerId: Expression<string> },
): RawBuilder<string | null> {
  const position = sql.raw(isPostgres(executor) ? 'strpos' : 'instr');
  const domain = sql`substr(vouched.email_key, ${position}(vouched.email_key, '@') + 1)`;
  return sql<string | null>`(
    select vouched.email from scim_users vouched
    join organization_settings vouching on vouching.org_id = vouched.org_id
    where vouched.user_id = ${userId}
      and case when ${ownerId} = '' then vouched.owned = 1 else vouched.org_id = ${ownerId} end
      and ${position}(vouching.verified_domains, '"' || ${domain} || '"') > 0
    limit 1
  )`;
}
