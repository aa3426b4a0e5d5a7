import type { Expression, RawBuilder } from 'kysely';
import type { ReadExecutor } from '../platform/database/transaction.ts';

/** The addresses that organizations vouch for because their SCIM provides them, as SQL for use in other queries. */
export interface VouchedAddresses {
  /**
   * Selects the address that an organization's SCIM gives a user, if a site administrator has assigned the address's
   * domain to the organization; otherwise null. `ownerId` is the organization; if empty, the one whose SCIM created the
   * account.
   */
  readonly addressOf: (
    executor: ReadExecutor,
    of: { readonly userId: Expression<string>; readonly ownerId: Expression<string> },
  ) => RawBuilder<string | null>;
  /**
   * Selects the ids of users without an address of their own to whom an organization's SCIM gives an address (in lower
   * case).
   */
  readonly usersWith: (orgId: string, address: string) => RawBuilder<string>;
}
