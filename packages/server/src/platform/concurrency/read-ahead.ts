/**
 * Starts work on some items before the results of earlier ones are taken, and yields the results in order. What was
 * started and is not taken any more is awaited, so that nothing goes on behind the consumer.
 */
export async function* readAhead<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  count: number,
): AsyncGenerator<Result, void> {
  const started: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // A failure is thrown in its turn.
      result.catch(() => {});
      started.push(result);
      const first = started.length > count ? started.shift() : undefined;
      if (first) yield await first;
    }
    for (let first = started.shift(); first; first = started.shift()) yield await first;
  } finally {
    await Promise.allSettled(started);
  }
}
