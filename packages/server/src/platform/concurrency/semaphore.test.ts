import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('at most two run at once, others wait in turn, and one too many is refused', async () => {
  const run = createSemaphore({ atOnce: 2, maxWaiting: 2, refuse: () => new Error('full') });
  const order: string[] = [];
  const ends = new Map<string, (failed: boolean) => void>();
  const begin = (name: string) =>
    run(
      () =>
        new Promise<string>((resolve, reject) => {
          order.push(name);
          ends.set(name, (failed) => (failed ? reject(new Error(name)) : resolve(name)));
        }),
    );
  const [a, b, c, d] = [begin('a'), begin('b'), begin('c'), begin('d')];
  await expect(begin('e')).rejects.toThrow('full');
  expect(order).toEqual(['a', 'b']);
  ends.get('b')?.(true);
  await expect(b).rejects.toThrow('b');
  expect(order).toEqual(['a', 'b', 'c']);
  ends.get('a')?.(false);
  expect(await a).toBe('a');
  ends.get('c')?.(false);
  ends.get('d')?.(false);
  expect(await Promise.all([c, d])).toEqual(['c', 'd']);
  const f = begin('f');
  ends.get('f')?.(false);
  expect(await f).toBe('f');
});
