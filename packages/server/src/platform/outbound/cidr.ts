import { BlockList, isIP } from 'node:net';
import { parseUrl } from './target-url.ts';

/** A range of addresses: base address, number of fixed bits (0-32 or 0-128), and family. */
export interface Cidr {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** An address in canonical form. */
export interface PlainAddress {
  address: string;
  family: 'ipv4' | 'ipv6';
}

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * Parses an address as the network would: drops a scope id (RFC 4007 §11) and turns an IPv4-mapped IPv6 address (RFC
 * 4291 §2.5.5.2) into its IPv4 address. Returns undefined if the text is not an address.
 */
export function plainAddress(text: string): PlainAddress | undefined {
  const [bare = ''] = text.split('%', 1);
  const version = isIP(bare);
  if (version === 4) return { address: bare, family: 'ipv4' };
  if (version !== 6 || !parseUrl(`http://[${bare}]`)) return undefined;
  const address = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(address) ?? [];
  if (high === undefined || low === undefined) return { address, family: 'ipv6' };
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return { address: [a >> 8, a & 255, b >> 8, b & 255].join('.'), family: 'ipv4' };
}

/**
 * Parses `10.0.0.0/8`, `fd00::/8` or a single address (`10.0.0.1` is a /32, `::1` a /128). Throws a `RangeError` whose
 * message says what is wrong.
 */
export function parseCidr(text: string): Cidr {
  const [base = '', bits, ...rest] = text.trim().split('/');
  const version = isIP(base);
  const plain = base.includes('%') ? undefined : plainAddress(base);
  if (plain === undefined || rest.length > 0) {
    throw new RangeError(`"${text}" is neither an IP address nor a CIDR range such as 10.0.0.0/8.`);
  }
  if (version === 6 && plain.family === 'ipv4') {
    throw new RangeError(`"${text}" is an IPv4 range written as IPv6; write it as IPv4.`);
  }
  const widest = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? widest : Number(bits);
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || prefix > widest)) {
    throw new RangeError(`The part after the slash in "${text}" must be a whole number from 0 to ${widest}.`);
  }
  return { address: plain.address, prefix, family: plain.family };
}

/**
 * Returns a predicate for addresses in any of the ranges (see `parseCidr`). Each family has a list of its own, because
 * a `BlockList` lets a short IPv6 prefix match IPv4 addresses.
 */
export function rangeSet(ranges: readonly string[]): (address: PlainAddress) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { address, prefix, family } of ranges.map(parseCidr)) lists[family].addSubnet(address, prefix, family);
  return ({ address, family }) => lists[family].check(address, family);
}
