/** The parameter of `/login` that names the page to go on to. */
const PARAMETER = 'return_to';
/** One slash and no second one, in any spelling that browsers read as one; nothing that ends a line. */
const PATH = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** Returns the page to go on to after signing in: a path of this hub, and `/` for everything else. */
export function returnTo(search: string, origin: string): string {
  const asked = new URLSearchParams(search).get(PARAMETER) ?? '';
  if (!PATH.test(asked) || !URL.canParse(asked, origin)) return '/';
  const url = new URL(asked, origin);
  const path = url.pathname + url.search + url.hash;
  // Dots in a path may leave two slashes at its beginning, and the sign-in page itself leads nowhere.
  return url.origin === origin && PATH.test(path) && url.pathname !== '/login' ? path : '/';
}

/**
 * Returns the address of the sign-in page that leads back to a page. The fragment stays one, which browsers keep to
 * themselves: it may hold the secret of an invitation.
 */
export function signInPage({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  const page = pathname + search;
  return (page === '/' ? '/login' : `/login?${PARAMETER}=${encodeURIComponent(page)}`) + hash;
}

/** The path and query of the page that is open. */
export const pageHere = (): string => window.location.pathname + window.location.search;
