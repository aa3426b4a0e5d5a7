/**
 * Runs work on items, at most `limit` at a time. Once one fails, no other begins and the signal of those that run aborts;
 * throws the first error after all have ended.
 */
export async function inParallel<T>(
  items: readonly T[],
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const queue = [...items];
  let failure: { readonly error: unknown } | undefined;
  const run = async () => {
    for (let item = queue.shift(); item !== undefined && !failure; item = queue.shift())
      try {
        either.throwIfAborted();
        await work(item, either);
      } catch (error) {
        failure ??= { error };
        failing.abort(error);
      }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run));
  if (failure) throw failure.error;
}
