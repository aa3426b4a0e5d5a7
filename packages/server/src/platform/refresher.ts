/** Refreshes what belongs to a key; resolves once it shows the state at the time of the call, and never rejects. */
export type Refresh = (key: string) => Promise<void>;

/**
 * Runs a refresh for one key at a time. Calls during a refresh share one that follows it, so a key that changes all the
 * time costs no more than one refresh after the other. `refresh` must not reject.
 */
export function createRefresher(refresh: Refresh) {
  const current = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();

  function start(key: string): Promise<void> {
    const done = refresh(key).finally(() => {
      if (current.get(key) === done) current.delete(key);
    });
    current.set(key, done);
    return done;
  }

  return {
    run: ((key) => {
      const running = current.get(key);
      if (!running) return start(key);
      const waiting = next.get(key);
      if (waiting) return waiting;
      const following = running.then(() => {
        next.delete(key);
        return start(key);
      });
      next.set(key, following);
      return following;
    }) satisfies Refresh,

    /** Resolves once nothing is left to refresh. */
    async settle(): Promise<void> {
      while (current.size > 0) await Promise.all([...current.values(), ...next.values()]);
    },
  };
}
