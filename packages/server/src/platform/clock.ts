/** Tells the time, in epoch milliseconds. Injected everywhere, so that tests decide what time it is. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Epoch milliseconds as they stand on the wire. */
export const timestamp = (epochMs: number): string => new Date(epochMs).toISOString();
