import { LRUCache } from 'lru-cache';

/** Returns a pure function of one text that keeps its results for the `limit` texts that were asked for last. */
export function memoize<Value extends object | string>(
  limit: number,
  make: (text: string) => Value,
): (text: string) => Value {
  const known = new LRUCache<string, Value>({ max: limit });
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = make(text);
    known.set(text, value);
    return value;
  };
}
