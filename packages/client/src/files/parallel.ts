/** Runs work in parallel with other work, up to a maximum; further work waits for its turn. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

export function createLimit(max: number): Limit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < max) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The place is handed over directly, so that nothing else can take it in between.
      if (next) next();
      else running--;
    }
  };
}

/**
 * Runs work whose requests are all aborted if one of them fails or the caller aborts. Rejects with the first failure,
 * once everything has ended.
 */
export async function runAbortable<Result>(
  given: AbortSignal | undefined,
  work: (signal: AbortSignal) => readonly Promise<Result>[],
): Promise<Result[]> {
  const aborter = new AbortController();
  const running = work(given ? AbortSignal.any([given, aborter.signal]) : aborter.signal);
  try {
    return await Promise.all(running);
  } catch (error) {
    aborter.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
}
