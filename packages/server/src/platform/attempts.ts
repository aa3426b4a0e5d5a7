interface Bounds {
  /** The least number of attempts. */
  readonly count: number;
  /** After this time there are no more than that. */
  readonly ms: number;
}

/**
 * Bounds the attempts at something that others may overtake every time: within a process they take turns, but several
 * processes do not, and with each of them the chance of an attempt is smaller.
 */
export function createAttempts({ count, ms }: Bounds): { readonly next: () => boolean } {
  const until = performance.now() + ms;
  let begun = 0;
  return { next: () => begun++ < count || performance.now() < until };
}
