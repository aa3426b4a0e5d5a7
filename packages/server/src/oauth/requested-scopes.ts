import type { GrantedScope } from '@moonbase/contract/oauth/scopes';
import { type App, isOwnApp } from './apps/app.ts';
import { oauthError } from './errors.ts';
import { parseScopes } from './scopes.ts';

const DEFAULT: readonly GrantedScope[] = ['openid', 'profile'];

/** Returns the requested scopes. Throws `invalid_scope` for scopes that the application is not registered for. */
export function requestedScopes(app: App, text: string | undefined): readonly GrantedScope[] {
  // The scopes of the hub's own applications are fixed, whatever they send.
  if (isOwnApp(app)) return app.scopes;
  if (text === undefined || text.trim() === '') return app.scopes.filter((scope) => DEFAULT.includes(scope));
  const scopes = parseScopes(text);
  if ('unknown' in scopes) throw oauthError('invalid_scope', `There is no scope ${scopes.unknown.slice(0, 50)}`);
  const excess = scopes.find((scope) => !app.scopes.includes(scope));
  if (excess !== undefined)
    throw oauthError('invalid_scope', `The application is not registered for the scope ${excess}`);
  return scopes;
}
