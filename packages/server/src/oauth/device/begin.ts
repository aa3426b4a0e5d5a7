import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Visitor } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { storedUserAgent } from '../../platform/http/user-agent.ts';
import { addressBlock } from '../../platform/limits/address-block.ts';
import { sha256 } from '../../platform/secrets.ts';
import { toJson } from '../../platform/stored-form.ts';
import { type ClientClaim, requireNamedClient } from '../apps/clients.ts';
import { insertCode } from '../code-store.ts';
import { requestedScopes } from '../requested-scopes.ts';
import { countWaiting } from './device-code-store.ts';
import { newUserCode, shownUserCode, userCodeHash } from './user-code.ts';

const LIFETIME_SECONDS = 15 * 60;
export const POLL_SECONDS = 5;
/** The maximum number of pending codes per address block. */
const MAX_WAITING = 100;

/**
 * Creates the function that begins a program's login, with a code for the program and one for a person to type in a
 * browser.
 */
export const createDeviceLogins =
  ({ database, clock }: { readonly database: Database; readonly clock: Clock }) =>
  async (visitor: Visitor, claim: ClientClaim & { readonly scope?: string | undefined }) => {
    const app = await requireNamedClient(database.read, claim);
    const scopes = requestedScopes(app, claim.scope);
    const block = addressBlock(visitor.address);
    const deviceCode = randomBytes(32).toString('base64url');
    const code = newUserCode();
    await database.transaction(async (tx) => {
      const now = clock.now();
      if ((await countWaiting(tx, block, now)) >= MAX_WAITING)
        throw new HubError(429, `${MAX_WAITING} logins from your address are waiting to be confirmed`, {
          headers: { 'retry-after': '60' },
        });
      await insertCode(tx, {
        hash: sha256(deviceCode),
        kind: 'device',
        client_id: app.clientId,
        scopes: toJson(scopes),
        status: 'pending',
        grant_id: null,
        user_code_hash: userCodeHash(code),
        interval_seconds: POLL_SECONDS,
        polled_at: null,
        address_block: block,
        address: visitor.address,
        user_agent: storedUserAgent(visitor.userAgent),
        ...{ redirect_uri: null, challenge: null, nonce: null, auth_at: null },
        created_at: now,
        expires_at: now + LIFETIME_SECONDS * 1000,
      });
    });
    const page = `${visitor.baseUrl}/oauth/device`;
    return {
      device_code: deviceCode,
      user_code: shownUserCode(code),
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${shownUserCode(code)}`,
      expires_in: LIFETIME_SECONDS,
      interval: POLL_SECONDS,
    };
  };
