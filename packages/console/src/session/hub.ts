import type { Fetch, Hub } from '@moonbase/client/request';

/**
 * Sends the session cookie, and a header that identifies the hub's own pages: over plain http from another machine
 * browsers send no `Sec-Fetch-Site`, and pages of other origins cannot send this header together with cookies.
 */
export const fetchAsOwnPage: Fetch = (url, init) => {
  const headers = new Headers(init.headers);
  headers.set('X-Requested-With', 'moonbase-console');
  return fetch(url, { ...init, headers, credentials: 'same-origin' });
};

/** The hub that served this page. */
export const HUB: Hub = { hubUrl: location.origin, fetch: fetchAsOwnPage };
