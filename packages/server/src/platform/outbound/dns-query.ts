import { Resolver } from 'node:dns/promises';

/** The timeout of a DNS query; it doubles for the second try. */
const TRY_MS = 2_000;
const TRIES = 2;
/** How long to wait for the other address family once one has responded (compare RFC 8305 §3). */
const OTHER_FAMILY_MS = 250;

/** A failed DNS query, with a code of `node:dns`. */
export class QueryFailure extends Error {
  override readonly name = 'QueryFailure';
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/**
 * Queries name servers and returns the addresses of the first name that has any, IPv4 and IPv6 alternating; an empty
 * list if no name has an address. A failed query ends the search, so that no other name takes the place of the failed
 * one. Each call creates a resolver (c-ares) of its own, which needs no thread, can be cancelled separately, caches
 * nothing, and reads the system's current name servers.
 */
export async function queryAddresses(
  names: readonly string[],
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<string[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (const name of names) {
      signal.throwIfAborted();
      const addresses = await addressesOf(resolver, name);
      if (addresses.length > 0) return addresses;
    }
    return [];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function addressesOf(resolver: Resolver, name: string): Promise<string[]> {
  let otherFamilyTimer: NodeJS.Timeout | undefined;
  const failures: string[] = [];
  const family = (query: Promise<string[]>) =>
    query.then(
      (addresses) => {
        otherFamilyTimer ??= setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS);
        return addresses;
      },
      (error: NodeJS.ErrnoException) => {
        failures.push(error.code ?? error.message);
        return [];
      },
    );
  const [v4, v6] = await Promise.all([family(resolver.resolve4(name)), family(resolver.resolve6(name))]);
  clearTimeout(otherFamilyTimer);
  const interleaved = Array.from({ length: Math.max(v4.length, v6.length) }, (_, n) => [v4[n], v6[n]]).flat();
  const addresses = interleaved.filter((address) => address !== undefined);
  const failure = failures.find((code) => !NO_ADDRESS.has(code));
  if (addresses.length === 0 && failure !== undefined) throw new QueryFailure(failure);
  return addresses;
}

const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
