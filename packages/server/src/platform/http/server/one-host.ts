import type { IncomingMessage } from 'node:http';
import { badRequest } from '../errors.ts';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

/** Returns the path and query of a request target, which may be an absolute URL (RFC 9112 §3.2.2). */
export function toOriginForm(target: string): string {
  if (target.startsWith('/') || !ABSOLUTE_FORM.test(target)) return target;
  const rest = target.replace(ABSOLUTE_FORM, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Throws 400 for a request that names two hosts, in two headers (RFC 9112 §3.2) or in header and target: the parser
 * uses one of them, but a proxy in front of the hub may have checked the other.
 */
export function requireOneHost({ rawHeaders, headers }: IncomingMessage, target: string): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at])) hosts += 1;
  if (hosts > 1) throw badRequest('The request has more than one Host header');
  const [, authority] = target.startsWith('/') ? [] : (ABSOLUTE_FORM.exec(target) ?? []);
  if (authority !== undefined && authority.toLowerCase() !== headers.host?.toLowerCase())
    throw badRequest('The Host header and the URL of the request name different hosts');
}

const isHost = (name = '') => name.length === 4 && name.toLowerCase() === 'host';
