import { sql } from 'kysely';
import type { VouchedAddresses } from '../../organizations/index.ts';
import { isPostgres } from '../../platform/database/transaction.ts';

/** The addresses that SCIM gives users, in domains that belong to their organizations. */
export const vouchedAddresses: VouchedAddresses = {
  addressOf(executor, { userId, ownerId }) {
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
  },

  usersWith: (orgId, address) => sql<string>`
    select s.user_id from scim_users s join accounts a on a.id = s.user_id
    where s.org_id = ${orgId} and s.email_key = ${address} and a.email is null`,
};
