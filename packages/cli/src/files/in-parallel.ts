/**
 * Works on entries in order, several at a time. The first failure stops the work; the failure is thrown once the
 * entries in progress have ended.
 */
export async function inParallel<T>(
  entries: readonly T[],
  atOnce: number,
  work: (entry: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const rest = entries.values();
  const worker = async () => {
    for (const entry of rest) {
      if (failed.signal.aborted) return;
      await work(entry, failed.signal);
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, entries.length) }, () =>
    worker().catch((error: unknown) => {
      failed.abort(error);
    }),
  );
  await Promise.all(workers);
  failed.signal.throwIfAborted();
}
