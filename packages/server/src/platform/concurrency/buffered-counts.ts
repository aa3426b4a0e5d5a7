const FLUSH_MS = 10_000;

interface Options {
  /** Stores how often each key was counted since the last time. */
  readonly store: (counts: ReadonlyMap<string, number>) => Promise<void>;
  /** Called when counts could not be stored; they are kept for the next time. */
  readonly onFailure: (error: unknown) => void;
}

/** Counts keys in memory and stores the counts ten seconds after the first. A process that crashes loses them. */
export function createBufferedCounts({ store, onFailure }: Options) {
  let pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const add = (key: string, count = 1) => void pending.set(key, (pending.get(key) ?? 0) + count);

  /** Stores the counts at once. Does not reject. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const counts = pending;
    pending = new Map();
    try {
      await store(counts);
    } catch (error) {
      for (const [key, count] of counts) add(key, count);
      onFailure(error);
    }
  }

  return {
    flush,
    count: (key: string): void => {
      add(key);
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
  };
}
