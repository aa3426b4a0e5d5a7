import type { Visitor } from './authenticate.ts';
import { forbidden } from './errors.ts';

type Header = (name: string) => string | undefined;

/** A custom header that pages of the hub send; cross-origin pages cannot send it together with cookies. */
const OWN_PAGE_HEADER = 'x-requested-with';

/**
 * Returns whether the browser declares the request same-origin; undefined if there is no such declaration, as from
 * programs other than browsers. `same-site` is not enough: it includes all other ports of the host.
 */
function declaresSameOrigin(header: Header, baseUrl: string): boolean | undefined {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = header('origin');
  return origin === undefined ? undefined : origin === new URL(baseUrl).origin;
}

/**
 * Returns whether the request certainly comes from a page of this origin. Browsers send `Sec-Fetch-Site` only over
 * https and to localhost; elsewhere the custom header is required.
 */
export const isOwnPage = (header: Header, baseUrl: string): boolean =>
  declaresSameOrigin(header, baseUrl) ?? header(OWN_PAGE_HEADER) !== undefined;

/** Returns whether a browser declares that the request comes from a page of another origin. */
export const isOtherPage = (header: Header, baseUrl: string): boolean => declaresSameOrigin(header, baseUrl) === false;

/** Throws 403 if a browser declares that the request comes from another origin. */
export function requireOwnPage(header: Header, { baseUrl }: Visitor): void {
  if (isOtherPage(header, baseUrl)) throw forbidden('Only pages of the hub itself may send this request');
}
