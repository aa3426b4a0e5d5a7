import { plainAddress } from '../outbound/cidr.ts';

/**
 * What counts as one address: an IPv4 address, or the /64 of an IPv6 address, which is what one household or machine is
 * given (RFC 6177): within it anybody takes any number of addresses.
 */
export function addressBlock(address: string): string {
  const plain = plainAddress(address);
  if (plain?.family !== 'ipv6') return plain?.address ?? 'unknown';
  const [before = '', after] = plain.address.split('::');
  const first = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
