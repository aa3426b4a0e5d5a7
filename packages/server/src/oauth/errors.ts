import { exchangeForTokens } from '@moonbase/contract/oauth/protocol';
import { HubError } from '../platform/http/errors.ts';

/** The errors of RFC 6749, RFC 8628 and RFC 7009 that programs handle. */
export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token';

/** Returns an error of an endpoint for programs: `error` is the code, `error_description` the sentence. */
export const oauthError = (
  code: OauthErrorCode,
  sentence: string,
  {
    status = 400,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
) => new HubError(status, sentence, { fields: { error: code, error_description: sentence }, headers });

export const invalidClient = () =>
  oauthError('invalid_client', 'No application has this client_id and client_secret', {
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="oauth"' },
  });

/** Returns the rate limit error of the token endpoint, where programs abort a login on other errors (I§1.2). */
export const slowDownAt = (pattern: string, message: string): HubError | undefined =>
  pattern === exchangeForTokens.path ? oauthError('slow_down', message) : undefined;

/** Returns the single error for codes that cannot be exchanged, so that nobody learns which codes existed. */
export const invalidCode = () =>
  oauthError('invalid_grant', 'This code was used, has expired, or is not for this application');

export const invalidRefresh = () =>
  oauthError('invalid_grant', 'This refresh token is no longer valid; ask the user to log in again');
