import type { FastifyRequest } from 'fastify';
import { parseUrl } from '../../outbound/target-url.ts';
import { forbidden } from '../errors.ts';

const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Headers that proxies, load balancers and CDNs add to forwarded requests. */
const FORWARDED =
  /^(forwarded|via|cdn-loop|front-end-https|true-client-ip|x-(forwarded|original|envoy|azure|appengine)(-.*)?|x-(real|client|cluster-client|proxyuser|remote)-ip|x-(host|remote-addr)|(cf|fastly|fly)-.*)$/;

const LOCAL_ONLY =
  'This hub is in development mode and answers to localhost only; set MOONBASE_PUBLIC_URL (and MOONBASE_TRUSTED_PROXIES) to serve others';
const OWN_PAGES_ONLY =
  'This hub is in development mode, in which pages of other origins may not use it; have the server of your page pass requests on to the hub, or set MOONBASE_PUBLIC_URL to an address that is not loopback';

/**
 * Enforces development mode: a request must come from a program on this machine or from a page of the hub itself.
 * Throws 403 for other host names (DNS rebinding), for proxied requests, and for pages of other origins.
 */
export function requireDirect({ method, headers, raw }: FastifyRequest): void {
  // Proxies that add no header use HTTP/1.0 by default (nginx), which clients no longer do.
  if (raw.httpVersion !== '1.1' || Object.keys(headers).some((name) => FORWARDED.test(name)))
    throw forbidden(LOCAL_ONLY);
  const host = headers.host?.toLowerCase() ?? '';
  if (!LOCAL_HOST.test(host)) throw forbidden(LOCAL_ONLY);
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (origin !== undefined && parseUrl(origin)?.host !== host) throw forbidden(OWN_PAGES_ONLY);
  // Pages of other origins load pictures and scripts without an Origin header; navigation to the console stays allowed.
  const isNavigation = mode === 'navigate' && (method === 'GET' || method === 'HEAD');
  if (origin === undefined && (site === 'cross-site' || site === 'same-site') && !isNavigation)
    throw forbidden(OWN_PAGES_ONLY);
}
