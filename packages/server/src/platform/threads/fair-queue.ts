/** Creates a queue that serves its sources in turn, so that a source with many items delays only itself. */
export function createFairQueue<Item>(sizeOf: (item: Item) => number) {
  const waiting = new Map<string, { readonly items: Item[]; size: number }>();
  return {
    /** Returns the total size of the waiting items of a source. */
    sizeFrom: (from: string): number => waiting.get(from)?.size ?? 0,

    add(from: string, item: Item): void {
      const own = waiting.get(from) ?? { items: [], size: 0 };
      own.items.push(item);
      own.size += sizeOf(item);
      waiting.set(from, own);
    },

    take(): Item | undefined {
      for (const [from, own] of waiting) {
        const item = own.items.shift();
        waiting.delete(from);
        if (item === undefined) continue;
        own.size -= sizeOf(item);
        if (own.items.length > 0) waiting.set(from, own);
        return item;
      }
      return undefined;
    },
  };
}
