import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { OutboundFailure } from './failure.ts';

/** Turns a host name into its addresses, in the order to try them. */
export type Resolve = (host: string) => Promise<{ address: string; family: 4 | 6 }[]>;

/** Begins a connection and answers its socket, which can be destroyed before it is connected. */
export type Connect = (...given: Parameters<buildConnector.connector>) => Socket;

// Node.js gives up on an address after 250 ms when there is another; a far receiver needs longer.
const NEXT_ADDRESS_AFTER_MS = 1_000;
/** A name may have thousands. */
const MOST_ADDRESSES = 8;

/** Throws when `host` is an IP address, as a URL's `hostname` spells it, that the guard does not admit. */
function refuseDeniedLiteral(guard: AddressGuard, host: string): void {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !guard.admits(address)) {
    throw new OutboundFailure(`Address not allowed: ${address} (it is not a public address)`);
  }
}

async function admittedAddresses(guard: AddressGuard, resolve: Resolve, host: string): Promise<LookupAddress[]> {
  const addresses = await resolve(host);
  if (addresses.length === 0) throw new OutboundFailure(`Name not found: ${host}`);
  const admitted = addresses.filter(({ address }) => guard.admits(address));
  if (admitted.length > 0) return admitted.slice(0, MOST_ADDRESSES);
  // The addresses are left out: they would let anyone who may add a URL read the names of the inner network.
  throw new OutboundFailure(`Address not allowed: ${host} (the name leads to no public address)`);
}

/**
 * The connector of outbound requests. The guard sits in its look-up, so that the address checked is the one
 * connected to and a name that changes its address in between (DNS rebinding) gains nothing.
 */
export function guardedConnector(guard: AddressGuard, resolve: Resolve): Connect {
  const lookup: LookupFunction = (host, { all }, callback) => {
    admittedAddresses(guard, resolve, host).then(
      (addresses) => {
        if (all) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0);
      },
      (error: Error) => callback(error, []),
    );
  };
  const connect = buildConnector({
    lookup,
    timeout: 0, // the deadline of the exchange closes what is still connecting
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  }) as Connect; // undici's types leave out what it answers
  return (options, callback) => {
    // A literal address skips the look-up. What is thrown here fails the request that asked for the connection.
    refuseDeniedLiteral(guard, options.hostname);
    return connect(options, callback);
  };
}
