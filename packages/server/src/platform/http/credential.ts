import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from './authenticate.ts';
import { forbidden } from './errors.ts';
import { isOtherPage, isOwnPage } from './same-origin.ts';
import { sessionIn } from './session-cookie.ts';

interface Sent {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Returns the credential of a request. The `Authorization` header wins over the cookie, and the cookie counts only if
 * the browser shows that the request comes from a page of the hub itself. Throws 403 for a login that the browser remembers,
 * if a page of another origin uses it for a change.
 */
export function credentialOf({ method, headers }: Sent, baseUrl: string): Credential | undefined {
  const { authorization, cookie } = headers;
  const header = (name: string) => headers[name]?.toString();
  if (authorization !== undefined) {
    if (mayBeRemembered({ method, headers }) && isOtherPage(header, baseUrl)) throw rememberedElsewhere();
    const text = tokenIn(authorization);
    return text === undefined ? undefined : { kind: 'token', text };
  }
  const secret = cookie === undefined ? undefined : sessionIn(cookie, baseUrl);
  if (!secret || !isOwnPage(header, baseUrl)) return undefined;
  return { kind: 'session', secret };
}

/** The bodies that any page may send without asking the hub before (Fetch, CORS-safelisted request headers). */
const UNASKED_BODY = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i;

/**
 * Returns whether a browser may have added the `Authorization` header by itself to a request that changes something: once
 * a user has typed a `Basic` login, browsers add it to requests of every page, as they do with cookies. A request that
 * needs the permission of the hub has none of a page of another origin.
 */
const mayBeRemembered = ({ method, headers }: Sent): boolean =>
  method === 'POST' &&
  /^Basic /i.test(headers.authorization ?? '') &&
  UNASKED_BODY.test(headers['content-type'] ?? 'text/plain');

const rememberedElsewhere = () =>
  forbidden('A page of another origin may not use the login that the browser remembers: send the token as `Bearer`');

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
