import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { describeFailure, OutboundFailure } from './failure.ts';

/** Turns a host name into its addresses, in the order to try them. */
export type Resolve = (host: string) => Promise<{ address: string; family: 4 | 6 }[]>;

/** Begins a connection and answers its socket, which can be destroyed before it is connected. */
export type Connect = (...given: Parameters<buildConnector.connector>) => Socket;

// Node.js gives up on an address after 250 ms when there is another; a far receiver needs longer.
const NEXT_ADDRESS_AFTER_MS = 1_000;
/** A name may have thousands. */
const MAX_ADDRESSES = 8;

/** Throws when `host` is an IP address, as a URL's `hostname` spells it, that the guard does not admit. */
function refuseDeniedLiteral(guard: AddressGuard, host: string): void {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !guard.admits(address)) {
    throw new OutboundFailure(`Address not allowed: ${address} (it is not a public address)`);
  }
}

interface NameRules {
  readonly guard: AddressGuard;
  readonly resolve: Resolve;
  /** Names are refused no sooner, so that the time does not tell why. */
  readonly refusalMs: number;
  /** Told why a name was refused, for the operator. */
  readonly onNameRefused?: ((host: string, reason: string) => void) | undefined;
}

/**
 * The public addresses of a name. Throws the same sentence, after the same time, for a name that nobody has, one that
 * cannot be looked up and one that leads inside: anyone who may add a URL could read the inner network's names from it.
 */
async function admittedAddresses(rules: NameRules, host: string): Promise<LookupAddress[]> {
  const refusedAt = performance.now() + rules.refusalMs;
  const found = await rules.resolve(host).catch((error: unknown) => describeFailure(error, host));
  const admitted = typeof found === 'string' ? [] : found.filter(({ address }) => rules.guard.admits(address));
  if (admitted.length > 0) return admitted.slice(0, MAX_ADDRESSES);
  const addresses = typeof found === 'string' ? found : found.map(({ address }) => address).join(', ');
  rules.onNameRefused?.(host, addresses || `Name not found: ${host}`);
  const leftMs = refusedAt - performance.now();
  if (leftMs > 0) await pause(leftMs, undefined, { ref: false });
  throw new OutboundFailure(`Address not allowed: ${host} (no public address was found for this name)`);
}

/**
 * The connector of outbound requests. The guard sits in its look-up, so that the address checked is the one
 * connected to and a name that changes its address in between (DNS rebinding) gains nothing.
 */
export function guardedConnector(rules: NameRules): Connect {
  const lookup: LookupFunction = (host, { all }, callback) => {
    admittedAddresses(rules, host).then(
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
    refuseDeniedLiteral(rules.guard, options.hostname);
    return connect(options, callback);
  };
}
