interface Expiring {
  /** In milliseconds of `performance.now()`. */
  readonly expiresAt: number;
}

export type Deadlines<T extends Expiring> = ReturnType<typeof createDeadlines<T>>;

/**
 * Expires items with a single timer. All items wait equally long, so that they expire in the order in which they were
 * added, neither early nor later than with timers of their own.
 */
export function createDeadlines<T extends Expiring>(expire: (item: T) => void) {
  const waiting = new Set<T>();
  let timer: NodeJS.Timeout | undefined;

  function arm(expiresAt: number): void {
    timer = setTimeout(sweep, Math.ceil(expiresAt - performance.now()));
    timer.unref(); // it may outlast what it was set for
  }

  function sweep(): void {
    timer = undefined;
    const now = performance.now();
    for (const item of waiting) {
      if (item.expiresAt > now) {
        arm(item.expiresAt);
        break;
      }
      waiting.delete(item);
      expire(item);
    }
  }

  return {
    add(item: T): void {
      waiting.add(item);
      if (timer === undefined) arm(item.expiresAt);
    },
    delete: (item: T): boolean => waiting.delete(item),
    /** Removes and returns all waiting items. */
    takeAll(): T[] {
      clearTimeout(timer);
      timer = undefined;
      const all = [...waiting];
      waiting.clear();
      return all;
    },
  };
}
