/**
 * Maps items, `count` at a time. All are mapped even if some fail; then throws the first error.
 */
export async function inParallel<T, R>(items: readonly T[], count: number, map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const errors: unknown[] = [];
  const left = items.map((item, at) => ({ item, at }));
  async function work(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift())
      try {
        results[next.at] = await map(next.item);
      } catch (error) {
        errors.push(error);
      }
  }
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, work));
  if (errors.length > 0) throw errors[0];
  return results;
}
