/** Runs up to a number of works of one key at once; further ones wait for their turn. */
export type KeyedSlots = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Creates an independent set of slots for each key. */
export function createKeyedSlots(count: number): KeyedSlots {
  const states = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();
  return async (key, work) => {
    const state = states.get(key) ?? { taken: 0, waiting: [] };
    states.set(key, state);
    if (state.taken < count) state.taken += 1;
    else await new Promise<void>((resolve) => state.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = state.waiting.shift();
      if (next) next();
      else {
        state.taken -= 1;
        if (state.taken === 0) states.delete(key);
      }
    }
  };
}
