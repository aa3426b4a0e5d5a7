import type { Clock } from '../clock.ts';
import { sha256 } from '../secrets.ts';
import { WINDOW_SECONDS } from './quotas.ts';

/** The number of distinct unknown tokens that one address may send in a window. */
export const MAX_UNKNOWN = 100;
/**
 * The maximum number of hashes kept in a window for all addresses, about 10 MB; beyond it, unknown tokens are not
 * counted.
 */
const MAX_HASHES = 100_000;
/**
 * Long enough to tell tokens apart, and short enough that the engine copies the substring instead of keeping the whole
 * hash alive.
 */
const HASH_LENGTH = 12;

const WINDOW_MS = WINDOW_SECONDS * 1000;

export type UnknownTokens = ReturnType<typeof createUnknownTokens>;

/**
 * Counts the distinct unknown tokens of each address, in fixed windows in memory. Only responses to unknown tokens
 * change: every token is looked up first, so that users behind the same address are not affected.
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
    /** Counts an unknown token. Returns the seconds to wait if its address has sent too many others. */
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
