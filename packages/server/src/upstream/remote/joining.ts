/**
 * Creates the function that runs work for a key. Who asks for a key whose work is running gets its result. Work must not
 * begin by looking at what a caller in particular has.
 */
export function createJoining<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = running.get(key);
    if (known) return known;
    const begun = work().finally(() => running.delete(key));
    running.set(key, begun);
    return begun;
  };
}
