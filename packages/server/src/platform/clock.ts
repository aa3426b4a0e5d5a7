/** The source of the current time in epoch milliseconds. It is injected everywhere, so that tests control the time. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

const DAY_MS = 86_400_000;
const NUMERALS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
let lastDay = Number.NaN;
let dateOfLastDay = '';

/**
 * Formats epoch milliseconds for the wire (ISO 8601, UTC). Lists format hundreds of times, most of them of one day, whose date
 * is kept: the formatter of the engine takes five times as long. Throws a `RangeError` for what is no time.
 */
export function timestamp(epochMs: number): string {
  const day = Math.floor(epochMs / DAY_MS);
  if (day !== lastDay) {
    dateOfLastDay = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    lastDay = day;
  }
  const ms = Math.trunc(epochMs - day * DAY_MS);
  const seconds = Math.floor(ms / 1000);
  const hours = NUMERALS[Math.floor(seconds / 3600)];
  const minutes = NUMERALS[Math.floor(seconds / 60) % 60];
  return `${dateOfLastDay}${hours}:${minutes}:${NUMERALS[seconds % 60]}.${String(ms % 1000).padStart(3, '0')}Z`;
}

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
