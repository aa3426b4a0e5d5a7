import { expect, test } from 'vitest';
import { createKeyedSemaphore, createSemaphore } from './semaphore.ts';

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

test('as many works of one key run as may run at once, and keys do not wait for each other', async () => {
  const inTurn = createKeyedSemaphore({ atOnce: 2 });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (key: string) =>
    inTurn(key, () => {
      begun.push(key);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = [work('ada'), work('ada'), work('ada'), work('bob')];
  expect(begun).toEqual(['ada', 'ada', 'bob']);
  ends[0]?.();
  await all[0];
  expect(begun).toEqual(['ada', 'ada', 'bob', 'ada']);
  for (const end of ends.slice(1)) end();
  await Promise.all(all);
  await expect(inTurn('ada', () => Promise.reject(new Error('No')))).rejects.toThrow('No');
  expect(await inTurn('ada', async () => 1)).toBe(1);
});
