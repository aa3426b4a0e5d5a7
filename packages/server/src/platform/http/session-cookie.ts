import { parseCookie, stringifySetCookie } from 'cookie';
import { memoize } from '../memoize.ts';

/**
 * Returns the name of the session cookie. Over https, the prefix `__Host-` keeps subdomains from setting the cookie.
 * Cookies ignore ports, so over plain http the name contains the port to keep two hubs on one machine apart.
 */
export function cookieName(baseUrl: string): string {
  const { protocol, port } = new URL(baseUrl);
  return protocol === 'https:' ? '__Host-moonbase' : `moonbase-${port || '80'}`;
}

/** Returns the name for a base URL that may come from an unvalidated `Host` header; the empty name if it is malformed. */
const knownName = memoize(100, (baseUrl) => (URL.canParse(baseUrl) ? cookieName(baseUrl) : ''));

function valueIn(header: string | undefined, baseUrl: string, suffix = ''): string | undefined {
  const name = header === undefined ? '' : knownName(baseUrl);
  return header === undefined || name === '' ? undefined : parseCookie(header)[name + suffix];
}

/** Returns the value of the session cookie in a `Cookie` header, if present. */
export const sessionIn = (header: string | undefined, baseUrl: string): string | undefined => valueIn(header, baseUrl);

/**
 * Returns the `Set-Cookie` header that begins a session. SameSite is Lax, so that links from other sites open pages
 * signed in.
 */
export const beginCookie = (baseUrl: string, secret: string, maxAgeSeconds: number): string =>
  cookieText(baseUrl, secret, Math.floor(maxAgeSeconds));

/** Returns the `Set-Cookie` header that removes the session from the browser. */
export const endCookie = (baseUrl: string): string => cookieText(baseUrl, '', 0);

const STEP = '-step';

/** Returns the value of the cookie of a sign-in that waits for its second step, if present. */
export const stepIn = (header: string | undefined, baseUrl: string): string | undefined =>
  valueIn(header, baseUrl, STEP);

/** Returns the `Set-Cookie` header that remembers a sign-in between its two steps. */
export const stepCookie = (baseUrl: string, value: string, maxAgeSeconds: number): string =>
  cookieText(baseUrl, value, Math.floor(maxAgeSeconds), STEP);

const cookieText = (baseUrl: string, value: string, maxAge: number, suffix = ''): string =>
  stringifySetCookie({
    name: cookieName(baseUrl) + suffix,
    value,
    maxAge,
    path: '/',
    httpOnly: true,
    secure: baseUrl.startsWith('https:'),
    sameSite: 'lax',
  });
