import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LanePauses } from './lane-pauses.ts';

/** What the deliveries of a lane may wait for: a place of the lane, or one of their webhooks. */
export type WaitsFor = 'place' | 'webhook';

interface Dependencies {
  readonly clock: Clock;
  readonly pauses: Pick<LanePauses, 'resume'>;
  /** Called when a look is due at once. */
  readonly nudge: () => void;
}

export type Looks = ReturnType<typeof createLooks>;

/** The longest time for which lanes that have just got deliveries are served without a look at the others. */
const LOOK_EVERY_MS = 25;
/** The lanes of which it is remembered that deliveries may wait; others are found by the look of each second. */
const MAX_WAITING = 10_000;

/** Tells when all lanes have to be looked at, because some were served without that, or because there is room in one. */
export function createLooks({ clock, pauses, nudge }: Dependencies) {
  const waiting = boundedCache<string, WaitsFor>(MAX_WAITING);
  let dueAt: number | undefined;

  function request(): void {
    dueAt = 0;
    nudge();
  }

  return {
    /** Notes what deliveries of a lane may wait for; undefined where none wait. */
    noteWaiting(lane: string, what: WaitsFor | undefined): void {
      if (what) waiting.set(lane, what);
      else waiting.delete(lane);
    },

    mayWait: (lane: string): boolean => waiting.has(lane),

    /** Requests a look if something may wait in a lane that has a place again; `forWebhook` tells whether a webhook has one too. */
    roomIn(lane: string, forWebhook: () => boolean): void {
      const what = waiting.get(lane);
      if (what === undefined || (what === 'webhook' && !forWebhook())) return;
      pauses.resume([lane]);
      request();
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
