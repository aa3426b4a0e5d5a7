import { LRUCache } from 'lru-cache';

/** Memoizes a pure function of a text; keeps the results of the `limit` most recently used texts. */
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
