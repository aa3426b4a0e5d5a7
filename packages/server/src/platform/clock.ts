/** The source of the current time in epoch milliseconds. It is injected everywhere, so that tests control the time. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Formats epoch milliseconds for the wire (ISO 8601, UTC). */
export const timestamp = (epochMs: number): string => new Date(epochMs).toISOString();

/** The maximum delay of a Node.js timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls back at a time of the clock, or never if the time is undefined; returns a function that cancels the call. */
export function atTime(clock: Clock, time: number | undefined, callback: () => void): () => void {
  if (time === undefined) return () => {};
  let timer: NodeJS.Timeout;
  const wait = () => {
    const leftMs = time - clock.now();
    if (leftMs <= 0) return callback();
    timer = setTimeout(wait, Math.min(leftMs, MAX_TIMER_MS)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
