import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { describeFailure, OutboundFailure } from './failure.ts';

/** Turns a host name into its addresses, in the order to try them. */
export type Resolve = (host: string) => Promise<{ address: string; family: 4 | 6 }[]>;

/** Begins to connect and returns the socket, which can be destroyed before it is connected. */
export type Connect = (...given: Parameters<buildConnector.connector>) => Socket;

// Node.js tries the next address after 250 ms, which is too early for distant receivers.
const NEXT_ADDRESS_AFTER_MS = 1_000;
/** The maximum number of addresses to try; a name may have thousands. */
const MAX_ADDRESSES = 8;

/** Throws if `host` is an IP address (in the spelling of a URL's `hostname`) that the guard refuses. */
function refuseDeniedLiteral(guard: AddressGuard, host: string): void {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !guard.admits(address)) {
    throw new OutboundFailure(`Address not allowed: ${address} (it is not a public address)`);
  }
}

interface NameRules {
  readonly guard: AddressGuard;
  readonly resolve: Resolve;
  /** The minimum time until a name is refused, so that the time does not reveal the reason. */
  readonly refusalMs: number;
  /** Called with the reason when a name is refused, for the operator's log. */
  readonly onNameRefused?: ((host: string, reason: string) => void) | undefined;
}

/**
 * Returns the public addresses of a name. Unknown names, failed look-ups and names with internal addresses all give the
 * same error after the same time; otherwise anyone who may set a URL could probe the names of the internal network.
 */
async function admittedAddresses(rules: NameRules, host: string): Promise<LookupAddress[]> {
  const refusedAt = performance.now() + rules.refusalMs;
  const found = await rules.resolve(host).catch((error: unknown) => describeFailure(error, host));
  const admitted = typeof found === 'string' ? [] : found.filter(({ address }) => rules.guard.admits(address));
  if (admitted.length > 0) return admitted.slice(0, MAX_ADDRESSES);
  const addresses = typeof found === 'string' ? found : found.map(({ address }) => address).join(', ');
  rules.onNameRefused?.(host, addresses || `Name not found: ${host}`);
  const leftMs = refusedAt - performance.now();
  // The attempt that waits keeps a hub that stops from ending before it is recorded.
  if (leftMs > 0) await pause(leftMs);
  throw new OutboundFailure(`Address not allowed: ${host} (no public address was found for this name)`);
}

/**
 * Creates the connector of outbound requests. The guard is part of its DNS look-up, so that the checked address is the
 * one connected to and DNS rebinding gains nothing.
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
    // Literal addresses skip the look-up. An error thrown here fails the request.
    refuseDeniedLiteral(rules.guard, options.hostname);
    return connect(options, callback);
  };
}
