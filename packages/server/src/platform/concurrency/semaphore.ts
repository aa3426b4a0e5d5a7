/** Runs work unless too many others wait; then it throws what `refuse` returns. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

interface Options {
  /** How many run at once; further callers wait in turn. */
  readonly atOnce: number;
  readonly maxWaiting: number;
  readonly refuse: () => Error;
}

/** Creates a semaphore. Work that fails lets the next work begin. */
export function createSemaphore({ atOnce, maxWaiting, refuse }: Options): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else if (waiting.length >= maxWaiting) throw refuse();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
