import { useSyncExternalStore } from 'react';

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

export function relativeTime(at: number, now: number): string {
  const seconds = (at - now) / 1000;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? [];
  return unit === undefined
    ? seconds > 5
      ? 'in a moment'
      : 'just now'
    : words.format(Math.trunc(seconds / length), unit);
}

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls the listener every half minute; one timer updates all times on the page. */
function everyHalfMinute(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const withDay = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
});

/** A time of the clock, with the day where that is not today; the exact time shows on hover. */
export function ClockTime({ at }: { readonly at: string }) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={exact.format(date)} className="no-wrap">
      {(isToday ? clock : withDay).format(date)}
    </time>
  );
}

/** A relative time; the exact time shows on hover. */
export function Time({ at }: { readonly at: string }) {
  const present = useSyncExternalStore(everyHalfMinute, () => now);
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)} className="no-wrap">
      {relativeTime(date.getTime(), present)}
    </time>
  );
}
