import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Called when a look is due at once. */
  readonly nudge: () => void;
}

export type Looks = ReturnType<typeof createLooks>;

/** The longest time for which lanes that have just got deliveries are served without a look at the others. */
const LOOK_EVERY_MS = 25;
/** The lanes of which it is remembered that deliveries may wait; others are found by the look of each second. */
const MAX_WAITING = 10_000;

/** Tells when all lanes have to be looked at, because some were served without that, or because there is room in one. */
export function createLooks({ clock, nudge }: Dependencies) {
  const waiting = boundedCache<string, true>(MAX_WAITING);
  let dueAt: number | undefined;

  function request(): void {
    dueAt = 0;
    nudge();
  }

  return {
    /** Notes whether deliveries may wait in a lane for a place. */
    noteWaiting(lane: string, may: boolean): void {
      if (may) waiting.set(lane, true);
      else waiting.delete(lane);
    },

    mayWait: (lane: string): boolean => waiting.has(lane),

    /** Requests a look if something may wait in a lane that has a place again. */
    roomIn(lane: string): void {
      if (waiting.has(lane)) request();
    },

    /** Requests a look if something may wait in any lane. */
    roomForAll(): void {
      if (waiting.size > 0) request();
    },

    /** Returns whether the look is due; a due time too far ahead is left from a clock that was put back. */
    areDue(): boolean {
      const now = clock.now();
      return dueAt !== undefined && (now >= dueAt || now < dueAt - LOOK_EVERY_MS);
    },

    /** Notes that lanes are served without a look. */
    defer(): void {
      dueAt ??= clock.now() + LOOK_EVERY_MS;
    },

    dueInMs: (): number => Math.max((dueAt ?? 0) - clock.now(), 0),

    /** Notes that a look begins. */
    begin(): void {
      dueAt = undefined;
    },
  };
}
