import { findVisibleOrganization } from '../access/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { accountNamed } from './account-named.ts';

export type Socials = ReturnType<typeof createSocials>;

/** The social handles of accounts, of which this hub keeps none. */
export const createSocials = ({ database: { read } }: { readonly database: Database }) => ({
  async ofUser(name: string) {
    const { id, name: user } = await accountNamed(read, 'user', name);
    return { _id: id, user, socialHandles: {} };
  },

  async ofOrganization({ principal }: Caller, name: string) {
    const { organization } = await findVisibleOrganization(read, principal, name);
    return { _id: organization.id, org: organization.name, socialHandles: {} };
  },
});
