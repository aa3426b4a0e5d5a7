import { plainAddress, rangeSet } from './cidr.ts';

export { parseCidr } from './cidr.ts';

/** Decides which addresses the hub may connect to. */
export interface AddressGuard {
  admits(address: string): boolean;
}

const LOOPBACK = ['127.0.0.0/8', '::1'];

/**
 * The addresses outside the public internet: the special-purpose registries (RFC 6890) and the internal addresses of
 * clouds. IPv6 ranges that embed IPv4 addresses are refused completely, because a translator on the way would unwrap
 * them into any of these.
 */
const DENIED = [
  '0.0.0.0/8', // this network, RFC 791 §3.2
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // carrier-grade NAT, RFC 6598; Alibaba's metadata 100.100.100.200
  '127.0.0.0/8', // loopback, RFC 1122 §3.2.1.3
  '168.63.129.16', // Azure WireServer, reachable from its virtual machines only
  '169.254.0.0/16', // link-local, RFC 3927; metadata of most clouds
  '172.16.0.0/12', // private, RFC 1918
  '192.0.0.0/24', // IETF protocol assignments, RFC 6890; Oracle's metadata 192.0.0.192
  '192.0.2.0/24', // documentation, RFC 5737
  '192.31.196.0/24', // AS112, RFC 7535
  '192.52.193.0/24', // automatic multicast tunnels, RFC 7450
  '192.88.99.0/24', // 6to4 relay anycast, RFC 7526
  '192.168.0.0/16', // private, RFC 1918
  '192.175.48.0/24', // AS112, RFC 7534
  '198.18.0.0/15', // benchmarking, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // class E with broadcast, RFC 1112 §4
  // Global unicast is 2000::/3 only (RFC 3587); all that lies outside is denied:
  '::/3', // unspecified, loopback, v4-compatible (RFC 4291), NAT64 (RFC 6052, RFC 8215), discard (RFC 6666)
  '4000::/2', // SRv6 5f00::/16 (RFC 9602), else unassigned
  '8000::/1', // unique local (RFC 4193), link-local and multicast (RFC 4291), site-local (RFC 3879)
  // Special within global unicast:
  '2001::/23', // IETF protocol assignments, RFC 2928: Teredo (RFC 4380), benchmarking, ORCHID, drone ids and others
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056
  '2620:4f:8000::/48', // AS112, RFC 7534
  '3fff::/20', // documentation, RFC 9637
];

/**
 * Creates the guard of outbound requests. It admits public addresses, those in `allow` (CIDR ranges or addresses;
 * throws a `RangeError` for anything else), and with `allowLoopback` 127.0.0.0/8 and ::1. It refuses texts that are not
 * IP addresses.
 */
export function createAddressGuard(options: { allow: readonly string[]; allowLoopback: boolean }): AddressGuard {
  const denied = rangeSet(DENIED);
  const allowed = rangeSet(options.allowLoopback ? [...options.allow, ...LOOPBACK] : options.allow);
  return {
    admits(address) {
      const plain = plainAddress(address);
      return plain !== undefined && (!denied(plain) || allowed(plain));
    },
  };
}

/** Creates a guard that admits only the addresses in `allow` and, with `allowLoopback`, 127.0.0.0/8 and ::1. */
export function createAllowList(options: { allow: readonly string[]; allowLoopback: boolean }): AddressGuard {
  const allowed = rangeSet(options.allowLoopback ? [...options.allow, ...LOOPBACK] : options.allow);
  return {
    admits(address) {
      const plain = plainAddress(address);
      return plain !== undefined && allowed(plain);
    },
  };
}
