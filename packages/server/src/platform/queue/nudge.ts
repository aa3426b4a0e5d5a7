import type { JoinTopic } from './broadcast.ts';

/** Wakes a sleeping worker before its time: an optimisation, never a promise. */
export interface Nudge {
  (): void;
  /**
   * Resolves at the next nudge, after `ms`, or when the signal aborts; at once if a nudge came meanwhile. Returns whether
   * there was a nudge.
   */
  wait(ms: number, signal: AbortSignal): Promise<boolean>;
  /** Returns whether a nudge came since the last wait, and forgets it. */
  take(): boolean;
}

export interface SharedNudge extends Nudge {
  /** Also wakes the workers of the other processes. */
  readonly everywhere: () => void;
}

export function createNudge(): Nudge {
  let pending = false;
  let wake: (() => void) | undefined;
  const nudge = () => {
    pending = true;
    wake?.();
  };
  const take = () => {
    const taken = pending;
    pending = false;
    return taken;
  };
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        wake = undefined;
        resolve(take());
      };
      const timer = setTimeout(end, ms);
      wake = end;
      signal.addEventListener('abort', end);
      if (pending || signal.aborted) end();
    });
  return Object.assign(nudge, { wait, take });
}

/** Creates a nudge that is connected with those of the same name in other processes. */
export function createSharedNudge(join: JoinTopic, name: string): SharedNudge {
  const nudge = createNudge();
  const tell = join(name, nudge);
  const everywhere = () => {
    nudge();
    tell('all');
  };
  return Object.assign(nudge, { everywhere });
}
