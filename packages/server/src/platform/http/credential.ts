import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from './authenticate.ts';
import { isOwnPage } from './same-origin.ts';
import { sessionIn } from './session-cookie.ts';

/**
 * Returns the credential of a request. The `Authorization` header wins over the cookie, and the cookie counts only if
 * the browser shows that the request comes from a page of the hub itself.
 */
export function credentialOf(headers: IncomingHttpHeaders, baseUrl: string): Credential | undefined {
  const { authorization, cookie } = headers;
  if (authorization !== undefined) {
    const text = tokenIn(authorization);
    return text === undefined ? undefined : { kind: 'token', text };
  }
  const secret = cookie === undefined ? undefined : sessionIn(cookie, baseUrl);
  if (!secret || !isOwnPage((name) => headers[name]?.toString(), baseUrl)) return undefined;
  return { kind: 'session', secret };
}

/** Passwords with which clients send the token as the user name. */
const PLACEHOLDER_PASSWORDS: ReadonlySet<string | undefined> = new Set(['', 'x-oauth-basic']);

/**
 * Returns the token in an `Authorization` header: of `Bearer`, or the password of `Basic`; without a password, the user
 * name.
 */
export function tokenIn(header: string): string | undefined {
  const [, scheme, value] = /^(Bearer|Basic) +(\S+) *$/i.exec(header) ?? [];
  if (value === undefined || scheme?.toLowerCase() === 'bearer') return value;
  const [, name, password] = /^([^:\s]*):(\S*)$/.exec(Buffer.from(value, 'base64').toString()) ?? [];
  return (PLACEHOLDER_PASSWORDS.has(password) ? name : password) || undefined;
}
