const MINUTE_MS = 60_000;

/**
 * `free`: how many failures, or requested mails, an address block has in a window, over all names, before it must wait.
 */
export const ADDRESS = { free: 20, windowMs: 15 * MINUTE_MS } as const;
/** `free`: how many failures an address block has with one name before each further failure doubles the wait. */
export const NAME_FROM_ADDRESS = { free: 5, firstWaitMs: 10_000, maxWaitMs: 15 * MINUTE_MS } as const;
/** `warnAt`: the number of failures of a name per window, from all addresses, after which its owner is warned. */
export const NAME = { warnAt: 100, windowMs: 24 * 60 * MINUTE_MS } as const;

export interface Failures {
  readonly failures: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Returns the time from which an address block may try again, in epoch milliseconds. */
export const addressOpensAt = ({ failures, firstAt }: Failures): number =>
  failures >= ADDRESS.free ? firstAt + ADDRESS.windowMs : 0;

/** Returns the time from which an address block may try a name again, in epoch milliseconds. */
export function nameOpensAt({ failures, lastAt }: Failures): number {
  const { free, firstWaitMs, maxWaitMs } = NAME_FROM_ADDRESS;
  if (failures < free) return 0;
  return lastAt + Math.min(firstWaitMs * 2 ** (failures - free), maxWaitMs);
}
