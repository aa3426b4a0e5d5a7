/**
 * Returns a function that runs work for a key, once at a time for each key. Calls during a run share the next one, which
 * begins after all of them and so sees everything that they have seen.
 */
export function createSharedRuns<T>(run: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  const waiting = new Map<string, Promise<T>>();

  function begin(key: string): Promise<T> {
    const work = run(key).finally(() => running.delete(key));
    running.set(key, work);
    return work;
  }

  return (key) => {
    const next = waiting.get(key);
    if (next) return next;
    const current = running.get(key);
    if (!current) return begin(key);
    const goOn = () => {
      waiting.delete(key);
      return begin(key);
    };
    const queued = current.then(goOn, goOn);
    waiting.set(key, queued);
    return queued;
  };
}
