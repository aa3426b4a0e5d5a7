import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';

const MAX_ABSENCES = 20_000;
const MAX_ABSENCE_MS = 60_000;

export type Absences = ReturnType<typeof createAbsences>;

/** Remembers for a while what the upstream did not have, or not for the caller. */
export function createAbsences({ clock, freshMs }: { readonly clock: Clock; readonly freshMs: number }) {
  const until = boundedCache<string, number>(MAX_ABSENCES);
  return {
    has: (key: string): boolean => (until.get(key) ?? 0) > clock.now(),
    note: (key: string): void => void until.set(key, clock.now() + Math.min(freshMs, MAX_ABSENCE_MS)),
  };
}
