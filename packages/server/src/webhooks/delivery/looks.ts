import type { Clock } from '../../platform/clock.ts';

/** The longest time for which lanes that have just got deliveries are served without a look at the others. */
const LOOK_EVERY_MS = 25;

/** Tells when all lanes have to be looked at, because some were served without that, or because there is room again. */
export function createLooks(clock: Clock) {
  let dueAt: number | undefined;

  return {
    /** Returns whether the look is due; a due time too far ahead is left from a clock that was put back. */
    areDue(): boolean {
      const now = clock.now();
      return dueAt !== undefined && (now >= dueAt || now < dueAt - LOOK_EVERY_MS);
    },

    /** Makes the next look due at once. */
    request(): void {
      dueAt = 0;
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
