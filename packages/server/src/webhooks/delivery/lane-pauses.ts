import type { ChangedIds } from '../../platform/queue/broadcast.ts';

/** The longest pause of a lane; one that would last longer is left from a clock that was stepped back. */
const MAX_PAUSE_MS = 1_000;

export type LanePauses = ReturnType<typeof createLanePauses>;

/** The lanes that are not looked into for a while. */
export function createLanePauses() {
  const pausedUntil = new Map<string, number>();

  return {
    /** Pauses a lane for at most a second. */
    pause(lane: string, now: number, ms: number): void {
      pausedUntil.set(lane, now + Math.min(ms, MAX_PAUSE_MS));
    },

    endThoseOver(now: number): void {
      for (const [lane, until] of pausedUntil) if (until <= now || until > now + MAX_PAUSE_MS) pausedUntil.delete(lane);
    },

    has: (lane: string): boolean => pausedUntil.has(lane),

    /** Returns the end of a lane's pause; undefined for a lane that is not paused. */
    until: (lane: string): number | undefined => pausedUntil.get(lane),

    /** Ends pauses. */
    resume(lanes: ChangedIds): void {
      for (const lane of lanes === 'all' ? [...pausedUntil.keys()] : lanes) pausedUntil.delete(lane);
    },
  };
}
