import type { Fetch, Hub } from '@moonbase/client/request';

/**
 * Sends the cookie of the session, and says that a page of the hub asks: over plain http from another machine browsers
 * send no `Sec-Fetch-Site`, and pages of other origins cannot send this header along with cookies.
 */
const fetchAsOwnPage: Fetch = (url, init) => {
  const headers = new Headers(init.headers);
  headers.set('X-Requested-With', 'moonbase-console');
  return fetch(url, { ...init, headers, credentials: 'same-origin' });
};

/** The hub that has served this page. */
export const HUB: Hub = { hubUrl: location.origin, fetch: fetchAsOwnPage };
