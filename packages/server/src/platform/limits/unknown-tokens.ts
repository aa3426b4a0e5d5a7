import type { Clock } from '../clock.ts';
import { sha256 } from '../secrets.ts';
import { WINDOW_SECONDS } from './quotas.ts';

/** Tokens that nobody has, from one address in a window, before it is asked no more. */
export const MOST_UNKNOWN = 100;
/** Addresses that are looked after in a window, and good tokens that are remembered of each. */
const MOST_ADDRESSES = 10_000;
const MOST_GOOD = 100;

interface Seen {
  unknown: number;
  /** Hashes of tokens that were good after the first unknown one. */
  readonly good: Set<string>;
}

export type UnknownTokens = ReturnType<typeof createUnknownTokens>;

/**
 * Counts the tokens that nobody has, by address, in fixed windows, in the memory of this process. An address that has
 * brought too many is refused without a look-up, but for tokens that were good there before: others who share it go on.
 */
export function createUnknownTokens({ clock }: { readonly clock: Clock }) {
  const seen = new Map<string, Seen>();
  let windowEnd = 0;

  function at(address: string): Seen | undefined {
    const now = clock.now();
    if (now >= windowEnd) {
      seen.clear();
      windowEnd = now - (now % (WINDOW_SECONDS * 1000)) + WINDOW_SECONDS * 1000;
    }
    return seen.get(address);
  }

  return {
    /** Seconds to wait where this token is not looked up, else undefined. */
    refusedFor(address: string, token: string): number | undefined {
      const known = at(address);
      if (!known || known.unknown < MOST_UNKNOWN || known.good.has(sha256(token))) return undefined;
      return Math.max(1, Math.ceil((windowEnd - clock.now()) / 1000));
    },
    unknown(address: string): void {
      const known = at(address);
      if (known) known.unknown += 1;
      else if (seen.size < MOST_ADDRESSES) seen.set(address, { unknown: 1, good: new Set() });
    },
    good(address: string, token: string): void {
      const known = at(address);
      if (known && known.good.size < MOST_GOOD) known.good.add(sha256(token));
    },
  };
}
