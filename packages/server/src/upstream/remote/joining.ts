/**
 * Creates the function that runs work for a key. Whoever asks while the work of a key runs gets its result, unlike with
 * `createSharedRuns`, which begins anew for them; the work must not depend on the caller.
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
