import { setImmediate } from 'node:timers/promises';

/** So long at a time: what else came in meanwhile goes on in between. */
const TURN_MS = 10;

/** Maps much that takes long, such as rendering texts of strangers, without keeping everybody else waiting. */
export async function inTurns<T, R>(items: Iterable<T>, map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  let until = performance.now() + TURN_MS;
  for (const item of items) {
    mapped.push(map(item));
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + TURN_MS;
  }
  return mapped;
}
