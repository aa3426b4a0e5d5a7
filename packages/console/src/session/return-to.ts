/** The parameter of `/login` that contains the page to return to. */
const PARAMETER = 'return_to';
/** A path with a single leading slash, in any spelling that browsers read as one, and without line breaks. */
const PATH = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** Returns the page to open after signing in: a path of this hub, or `/` for anything else. */
export function returnTo(search: string, origin: string): string {
  const requested = new URLSearchParams(search).get(PARAMETER) ?? '';
  if (!PATH.test(requested) || !URL.canParse(requested, origin)) return '/';
  const url = new URL(requested, origin);
  const path = url.pathname + url.search + url.hash;
  // Dot segments may leave two leading slashes, and returning to the sign-in page itself makes no sense.
  return url.origin === origin && PATH.test(path) && url.pathname !== '/login' ? path : '/';
}

/**
 * Returns the URL of the sign-in page that returns to a page. The fragment stays a fragment, which browsers do not
 * send, because it may contain the secret of an invitation.
 */
export function signInPage({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  const page = pathname + search;
  return (page === '/' ? '/login' : `/login?${PARAMETER}=${encodeURIComponent(page)}`) + hash;
}

/** Returns the path and query of the current page. */
export const pageHere = (): string => window.location.pathname + window.location.search;
