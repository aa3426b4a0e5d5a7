import { LRUCache } from 'lru-cache';

/**
 * Creates a cache of the `count` most recently used values. Grows as it fills, unlike one with `max`, which allocates
 * the memory for all values at once.
 */
export const boundedCache = <Key extends {}, Value extends {}>(count: number): LRUCache<Key, Value> =>
  new LRUCache<Key, Value>({ maxSize: count, sizeCalculation: () => 1 });
