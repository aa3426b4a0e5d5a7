import { parseCookie, stringifySetCookie } from 'cookie';

/**
 * Returns the name of the session cookie. Over https, the prefix `__Host-` keeps subdomains from setting the cookie.
 * Cookies ignore ports, so over plain http the name contains the port to keep two hubs on one machine apart.
 */
export function cookieName(baseUrl: string): string {
  const { protocol, port } = new URL(baseUrl);
  return protocol === 'https:' ? '__Host-moonbase' : `moonbase-${port || '80'}`;
}

/** Returns the value of the session cookie in a `Cookie` header, if present. */
export function sessionIn(header: string | undefined, baseUrl: string): string | undefined {
  // `baseUrl` may come from an unvalidated `Host` header.
  return header === undefined || !URL.canParse(baseUrl) ? undefined : parseCookie(header)[cookieName(baseUrl)];
}

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
  header === undefined || !URL.canParse(baseUrl) ? undefined : parseCookie(header)[cookieName(baseUrl) + STEP];

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
