import type { AuthorizationQuery } from '@moonbase/contract/oauth/consent';
import type { GrantedScope } from '@moonbase/contract/oauth/scopes';
import { badRequest, HubError } from '../../platform/http/errors.ts';
import type { App } from '../apps/app.ts';
import { allowsRedirect } from '../apps/redirects.ts';
import { requestedScopes } from '../requested-scopes.ts';

/** A valid authorization request of an application. */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly scopes: readonly GrantedScope[];
  readonly challenge: string | null;
  readonly nonce: string | null;
}

/** The reason for a refusal, sent to the application. */
export interface AuthorizationError {
  readonly error: string;
  readonly sentence: string;
}

/**
 * Returns the redirect URI. Throws errors that are shown to the user only, because nobody is redirected to a URI that
 * the application has not registered (RFC 6749, 4.1.2.1).
 */
export function requireRedirect(app: App, { redirect_uri: uri }: AuthorizationQuery): string {
  if (uri === undefined) throw badRequest(`The link of the application ${app.name} names no address to return to`);
  if (!allowsRedirect(app.redirects, uri))
    throw badRequest(`The application ${app.name} is not registered to return to the address in this link`);
  return uri;
}

/** Checks the request of an application whose redirect URI is already checked. */
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
  // The hub asks for consent every time.
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

/** Returns the URL that redirects a browser to the application with parameters. */
export function redirectTo(redirectUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.append(name, value);
  return url.href;
}
