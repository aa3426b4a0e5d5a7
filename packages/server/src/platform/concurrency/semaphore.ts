/** Runs the work of a key; the works of different keys do not wait for each other. */
export type KeyedSemaphore = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Runs work. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

interface Limit {
  /** How many run at once; further callers wait in turn. */
  readonly atOnce: number;
  /** How many may wait, if there is a limit; one more is refused. */
  readonly maxWaiting?: number;
  /** Returns the error of a caller who finds too many waiting. */
  readonly refuse?: () => Error;
}

const tooManyWait = () => new Error('Too many wait');

/** Creates an independent semaphore for each key. Work that fails lets the next work begin. */
export function createKeyedSemaphore({
  atOnce,
  maxWaiting = Number.POSITIVE_INFINITY,
  refuse = tooManyWait,
}: Limit): KeyedSemaphore {
  const states = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (key, work) => {
    const state = states.get(key) ?? { running: 0, waiting: [] };
    states.set(key, state);
    if (state.running < atOnce) state.running += 1;
    else if (state.waiting.length >= maxWaiting) throw refuse();
    else await new Promise<void>((resolve) => state.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = state.waiting.shift();
      if (next) next();
      else {
        state.running -= 1;
        if (state.running === 0) states.delete(key);
      }
    }
  };
}

/** Creates a semaphore. */
export function createSemaphore(limit: Limit): Semaphore {
  const inTurn = createKeyedSemaphore(limit);
  return (work) => inTurn('', work);
}
