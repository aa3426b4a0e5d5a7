import type { Database } from '../../platform/database/transaction.ts';
import { sha256 } from '../../platform/secrets.ts';
import { type ClientClaim, requireClient } from '../apps/clients.ts';
import { oauthError } from '../errors.ts';
import { findGrant } from '../grants/grant-store.ts';
import type { Grants } from '../grants/service.ts';
import { lockOauthToken } from './token-store.ts';

/** Creates the function that ends the grant of a token (RFC 7009), unless the token belongs to another application. */
export const createRevocation =
  ({ database, grants }: { readonly database: Database; readonly grants: Grants }) =>
  async (sent: ClientClaim & { readonly token?: string | undefined }): Promise<void> => {
    const app = await requireClient(database.read, sent);
    const { token: text } = sent;
    if (text === undefined) throw oauthError('invalid_request', 'Send the token to revoke as `token`');
    await database.transaction(async (tx) => {
      const token = await lockOauthToken(tx, sha256(text));
      const grant = token && (await findGrant(tx, token.grant_id));
      if (grant && (!app || app.clientId === grant.client_id)) await grants.logOut(tx, grant);
    });
  };
