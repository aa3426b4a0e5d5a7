const MINUTE_MS = 60_000;

/** Failures of one address block, over all names, before the block waits; and the mails that it may ask for. */
export const ADDRESS = { free: 20, windowMs: 15 * MINUTE_MS } as const;
/** Failures of one address block with one name before each further one doubles the wait. */
export const NAME_FROM_ADDRESS = { free: 5, firstWaitMs: 10_000, maxWaitMs: 15 * MINUTE_MS } as const;
/** Failures of one name from anywhere in a day after which its owner is told. */
export const NAME = { told: 100, windowMs: 24 * 60 * MINUTE_MS } as const;

export interface Failures {
  readonly failures: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** When an address block that failed so often may try again, in epoch milliseconds. */
export const addressOpensAt = ({ failures, firstAt }: Failures): number =>
  failures >= ADDRESS.free ? firstAt + ADDRESS.windowMs : 0;

/** When an address block that failed so often with one name may try that name again, in epoch milliseconds. */
export function nameOpensAt({ failures, lastAt }: Failures): number {
  const { free, firstWaitMs, maxWaitMs } = NAME_FROM_ADDRESS;
  if (failures < free) return 0;
  return lastAt + Math.min(firstWaitMs * 2 ** (failures - free), maxWaitMs);
}
