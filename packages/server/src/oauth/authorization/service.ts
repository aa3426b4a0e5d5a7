import { randomBytes } from 'node:crypto';
import type { AuthorizationAsked, AuthorizationQuery } from '@moonbase/contract/oauth/consent';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest } from '../../platform/http/errors.ts';
import { storedUserAgent } from '../../platform/http/user-agent.ts';
import { addressBlock } from '../../platform/limits/address-block.ts';
import { sha256 } from '../../platform/secrets.ts';
import { toJson } from '../../platform/stored-form.ts';
import { shownApp } from '../apps/app.ts';
import { findClient } from '../apps/clients.ts';
import { insertCode } from '../code-store.ts';
import { requireSession } from '../consent-rules.ts';
import { type Grants, organizationChoices } from '../grants/service.ts';
import { shownScopes } from '../scopes.ts';
import { judgeRequest, redirectTo, requireRedirect } from './request.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly grants: Grants;
}

interface Decision extends AuthorizationQuery {
  readonly decision: 'allow' | 'deny';
  readonly organizations: readonly string[];
}

/** How long an authorization code is valid. */
const CODE_MS = 60_000;

export type Authorization = ReturnType<typeof createAuthorization>;

/** What a signed-in user sees and decides when an application requests authorization. */
export function createAuthorization({ database, clock, grants }: Dependencies) {
  async function requestOf(caller: Caller, query: AuthorizationQuery) {
    requireSession(caller);
    if (query.client_id === undefined) throw badRequest('This link names no application');
    const app = await findClient(database.read, query.client_id);
    if (!app) throw badRequest('This link names an application that is not registered here');
    const redirectUri = requireRedirect(app, query);
    // The issuer protects an application that uses several providers from mix-up attacks (RFC 9207).
    const constant = { state: query.state, iss: caller.baseUrl };
    return {
      app,
      request: judgeRequest(app, redirectUri, query),
      redirect: (parameters: Readonly<Record<string, string>>) =>
        redirectTo(redirectUri, { ...parameters, ...constant }),
    };
  }

  return {
    async find(caller: Caller, query: AuthorizationQuery): Promise<AuthorizationAsked> {
      const { app, request, redirect } = await requestOf(caller, query);
      if ('error' in request)
        return { location: redirect({ error: request.error, error_description: request.sentence }) };
      const preselected = new Set(query.orgIds?.split(','));
      return {
        application: shownApp(app),
        scopes: shownScopes(request.scopes),
        organizations: await organizationChoices(database.read, caller.principal.userId, (id) => preselected.has(id)),
        redirectUri: request.redirectUri,
      };
    },

    async decide(caller: Caller, { decision, organizations, ...query }: Decision): Promise<{ location: string }> {
      const { app, request, redirect } = await requestOf(caller, query);
      if ('error' in request)
        return { location: redirect({ error: request.error, error_description: request.sentence }) };
      if (decision === 'deny') return { location: redirect({ error: 'access_denied' }) };
      const code = randomBytes(32).toString('base64url');
      const { address } = caller;
      const userAgent = storedUserAgent(caller.userAgent);
      const { scopes, redirectUri, challenge, nonce } = request;
      await database.transaction(async (tx) => {
        const now = clock.now();
        const grantId = await grants.create(tx, caller, { app, scopes, organizations, address, userAgent });
        await insertCode(tx, {
          hash: sha256(code),
          kind: 'authorization',
          client_id: app.clientId,
          scopes: toJson(scopes),
          status: 'approved',
          grant_id: grantId,
          ...{ user_code_hash: null, interval_seconds: 0, polled_at: null },
          ...{ address_block: addressBlock(address), address, user_agent: userAgent },
          ...{ redirect_uri: redirectUri, challenge, nonce },
          auth_at: caller.principal.session?.strongAt ?? now,
          created_at: now,
          expires_at: now + CODE_MS,
        });
      });
      return { location: redirect({ code }) };
    },
  };
}
