import type { Clock } from '../clock.ts';
import { sha256 } from '../secrets.ts';
import { WINDOW_SECONDS } from './quotas.ts';

/** Distinct tokens that nobody has, from one address in a window, before the address is told to wait. */
export const MAX_UNKNOWN = 100;
/** Hashes kept in a window over all addresses, about 10 MB; tokens of later addresses are not counted. */
const MAX_HASHES = 100_000;
/** Long enough to tell tokens apart, short enough for the engine to copy instead of keeping the whole hash. */
const HASH_LENGTH = 12;

const WINDOW_MS = WINDOW_SECONDS * 1000;

export type UnknownTokens = ReturnType<typeof createUnknownTokens>;

/**
 * Counts the tokens that nobody has, each once, by address, in fixed windows, in the memory of this process. Only
 * answers to unknown tokens change: every token is looked up first, so that nobody is refused for a neighbour.
 */
export function createUnknownTokens({ clock }: { readonly clock: Clock }) {
  const seen = new Map<string, Set<string>>();
  let kept = 0;
  let windowEnd = 0;

  function beginWindow(now: number): void {
    if (now < windowEnd && now >= windowEnd - 2 * WINDOW_MS) return;
    seen.clear();
    kept = 0;
    windowEnd = now - (now % WINDOW_MS) + WINDOW_MS;
  }

  return {
    /** Counts a token that nobody has. Returns the seconds to wait where its address has brought too many others. */
    count(address: string, token: string): number | undefined {
      const now = clock.now();
      beginWindow(now);
      const hashes = seen.get(address) ?? new Set();
      const hash = sha256(token).slice(0, HASH_LENGTH);
      if (hashes.has(hash)) return undefined;
      if (hashes.size >= MAX_UNKNOWN) return Math.max(1, Math.ceil((windowEnd - now) / 1000));
      if (kept >= MAX_HASHES) return undefined;
      kept += 1;
      seen.set(address, hashes.add(hash));
      return undefined;
    },
  };
}
