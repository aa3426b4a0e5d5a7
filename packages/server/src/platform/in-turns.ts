import { setImmediate } from 'node:timers/promises';

/** So long at a time: what else came in meanwhile goes on in between. */
const TURN_MS = 10;

/** Maps many items one after the other without keeping everybody else waiting. */
export async function inTurns<T, R>(items: Iterable<T>, map: (item: T) => R | Promise<R>): Promise<R[]> {
  const mapped: R[] = [];
  let until = performance.now() + TURN_MS;
  for (const item of items) {
    mapped.push(await map(item));
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + TURN_MS;
  }
  return mapped;
}
