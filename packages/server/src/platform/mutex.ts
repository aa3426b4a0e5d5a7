/** Runs the work of one key sequentially, and the work of different keys concurrently. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Creates an independent set of mutexes, one for each key. Work that fails does not block the work behind it. */
export function createKeyedMutex(): KeyedMutex {
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

/** Creates a mutex: runs all work sequentially. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  const runExclusive = createKeyedMutex();
  return (work) => runExclusive('', work);
}
