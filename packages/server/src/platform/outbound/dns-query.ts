import { Resolver } from 'node:dns/promises';

/** A query waits so long for a server, and twice so long when it is repeated. */
const TRY_MS = 2_000;
const TRIES = 2;
/** How long a family of addresses is waited for once the other is known (compare RFC 8305 §3). */
const OTHER_FAMILY_MS = 250;

/** Why a name server gave no address: a code of `node:dns`, or undefined where the name has none. */
export class QueryFailure extends Error {
  override readonly name = 'QueryFailure';
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/**
 * Asks the name servers for the first of these names that has addresses; they are in turn IPv4 and IPv6. Returns none
 * where no name has any; a name that could not be asked for ends it, so that no other takes its place.
 *
 * A resolver (c-ares) has sockets of its own, no thread, and reads the system's servers when it is made: one for each
 * look-up can be called off by itself, remembers nothing, and notices changes.
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
  let patience: NodeJS.Timeout | undefined;
  const failures: string[] = [];
  const family = (query: Promise<string[]>) =>
    query.then(
      (addresses) => {
        patience ??= setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS);
        return addresses;
      },
      (error: NodeJS.ErrnoException) => {
        failures.push(error.code ?? error.message);
        return [];
      },
    );
  const [v4, v6] = await Promise.all([family(resolver.resolve4(name)), family(resolver.resolve6(name))]);
  clearTimeout(patience);
  const inTurn = Array.from({ length: Math.max(v4.length, v6.length) }, (_, n) => [v4[n], v6[n]]).flat();
  const addresses = inTurn.filter((address) => address !== undefined);
  const failure = failures.find((code) => !NO_ADDRESS.has(code));
  if (addresses.length === 0 && failure !== undefined) throw new QueryFailure(failure);
  return addresses;
}

const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
