/** Refreshes what belongs to a key. Must not reject. */
export type Refresh = (key: string) => Promise<void>;

interface State {
  /** Whether the key has changed since its last refresh began. */
  isDirty: boolean;
  running: Promise<void> | undefined;
  rest: NodeJS.Timeout | undefined;
}

/**
 * Refreshes keys that change: one refresh for each key at a time, followed by a rest, so that a key that changes all the
 * time costs no more than one refresh in `restMs`.
 */
export function createRefresher(refresh: Refresh, restMs: number) {
  const states = new Map<string, State>();

  function start(key: string, state: State): Promise<void> {
    clearTimeout(state.rest);
    state.isDirty = false;
    const running = refresh(key).finally(() => {
      state.running = undefined;
      state.rest = setTimeout(() => {
        if (state.isDirty) void start(key, state);
        else states.delete(key);
      }, restMs).unref();
    });
    state.running = running;
    return running;
  }

  function change(key: string): State {
    const known = states.get(key);
    if (known) {
      known.isDirty = true;
      return known;
    }
    const state: State = { isDirty: false, running: undefined, rest: undefined };
    states.set(key, state);
    void start(key, state);
    return state;
  }

  return {
    /** Refreshes a key soon. */
    request: (key: string): void => void change(key),

    /** Refreshes a key without a rest; resolves once it shows the state at the time of the call. */
    run: async (key: string): Promise<void> => {
      const state = change(key);
      const isBehind = state.isDirty;
      await state.running;
      if (isBehind) await (state.isDirty ? start(key, state) : state.running);
    },

    /** Resolves once nothing is left to refresh. */
    settle: async (): Promise<void> => {
      for (;;) {
        const unsettled = [...states].filter(([, { isDirty, running }]) => isDirty || running !== undefined);
        if (unsettled.length === 0) break;
        await Promise.all(unsettled.map(([key, state]) => state.running ?? start(key, state)));
      }
      for (const { rest } of states.values()) clearTimeout(rest);
      states.clear();
    },
  };
}
