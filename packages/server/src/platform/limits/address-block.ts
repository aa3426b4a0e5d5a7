import { plainAddress } from '../outbound/cidr.ts';

/**
 * Returns the unit by which addresses are counted: an IPv4 address, or the /64 of an IPv6 address, which is what one
 * household or machine gets (RFC 6177) and may use freely.
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
