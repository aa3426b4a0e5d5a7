import type { UserInfo } from '@moonbase/contract/oauth/protocol';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { forbidden } from '../../platform/http/errors.ts';
import { findGrant } from '../grants/grant-store.ts';
import { claimsOf } from './claims.ts';

/** Creates the function that returns the claims about an application's user; throws 403 for other callers. */
export const createUserInfo =
  ({ database }: { readonly database: Database }) =>
  async ({ principal, baseUrl }: Caller): Promise<UserInfo> => {
    const { id, oauth } = principal.token;
    const grant = oauth?.scopes.includes('openid') && (await findGrant(database.read, id));
    const claims = grant && (await claimsOf(database.read, grant, baseUrl));
    if (!claims) throw forbidden('The application needs the scope openid to know who the user is');
    return claims;
  };
