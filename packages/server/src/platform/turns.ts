/** Runs the work of one key sequentially, and the work of different keys concurrently. */
export type KeyedTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Creates an independent set of turns. Work that fails does not block the work behind it. */
export function createKeyedTurns(): KeyedTurns {
  const lastOf = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const result = (lastOf.get(key) ?? Promise.resolve()).then(work, work);
    const settled = result
      .catch(() => {})
      .then(() => {
        if (lastOf.get(key) === settled) lastOf.delete(key);
      });
    lastOf.set(key, settled);
    return result;
  };
}

/** Creates turns without keys: runs all work sequentially. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  const inTurn = createKeyedTurns();
  return (work) => inTurn('', work);
}
