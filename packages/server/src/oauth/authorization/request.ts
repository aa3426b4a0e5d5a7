import type { AuthorizationQuery } from '@moonbase/contract/oauth/consent';
import type { GrantedScope } from '@moonbase/contract/oauth/scopes';
import { badRequest, HubError } from '../../platform/http/errors.ts';
import type { App } from '../apps/app.ts';
import { allowsRedirect } from '../apps/redirects.ts';
import { requestedScopes } from '../requested-scopes.ts';

/** What an application asks a user for in a browser, found to be in order. */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly scopes: readonly GrantedScope[];
  readonly challenge: string | null;
  readonly nonce: string | null;
}

/** Why an application gets nothing, for itself to read. */
export interface AuthorizationError {
  readonly error: string;
  readonly sentence: string;
}

/**
 * Returns where the user comes back to. Throws what only the user is shown: to an address that the application did not
 * register nobody is sent (RFC 6749, 4.1.2.1).
 */
export function requireRedirect(app: App, { redirect_uri: uri }: AuthorizationQuery): string {
  if (uri === undefined) throw badRequest(`The link of the application ${app.name} does not say where to come back to`);
  if (!allowsRedirect(app.redirects, uri))
    throw badRequest(`The application ${app.name} is not registered to come back to the address in this link`);
  return uri;
}

/** Judges what an application asks for, whose redirect is known to be its own. */
export function judgeRequest(
  app: App,
  redirectUri: string,
  query: AuthorizationQuery,
): AuthorizationRequest | AuthorizationError {
  const { response_type: type, code_challenge: challenge, code_challenge_method: method, prompt, nonce } = query;
  if (type !== 'code') return { error: 'unsupported_response_type', sentence: 'response_type must be code' };
  if (challenge === undefined && app.secretHash === null)
    return invalid('code_challenge is needed: this is a public client');
  if (challenge !== undefined && method !== 'S256') return invalid('code_challenge_method must be S256');
  if (challenge !== undefined && !/^[\w-]{43}$/.test(challenge)) return invalid('code_challenge must be 43 characters');
  // Everybody is asked each time.
  if (prompt?.split(' ').includes('none')) return { error: 'consent_required', sentence: 'The user has to be asked' };
  try {
    const scopes = requestedScopes(app, query.scope);
    return { redirectUri, scopes, challenge: challenge ?? null, nonce: nonce ?? null };
  } catch (error) {
    if (error instanceof HubError) return { error: 'invalid_scope', sentence: error.message };
    throw error;
  }
}

const invalid = (sentence: string): AuthorizationError => ({ error: 'invalid_request', sentence });

/** Returns the address that a browser goes back to, with what the application is told there. */
export function backTo(redirectUri: string, told: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(told)) if (value !== undefined) url.searchParams.append(name, value);
  return url.href;
}
