/** Runs work one at a time; undefined at once, without running it, where `most` wait already. */
export function createTurns(most: number) {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (waiting > most) return undefined;
    waiting += 1;
    const before = last;
    const mine = before.then(work, work);
    last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      waiting -= 1;
    }
  };
}
