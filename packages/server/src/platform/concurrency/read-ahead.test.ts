import { expect, test } from 'vitest';
import { readAhead } from './read-ahead.ts';

async function* numbers(count: number, onTaken: (at: number) => void = () => {}): AsyncGenerator<number, void> {
  for (let at = 0; at < count; at++) {
    onTaken(at);
    yield at;
  }
}

test('results come in order, and as many works as allowed are ahead', async () => {
  const taken: number[] = [];
  const results = readAhead(
    numbers(5, (at) => taken.push(at)),
    async (at) => at * 2,
    2,
  );
  expect((await results.next()).value).toBe(0);
  expect(taken).toEqual([0, 1, 2]);
  const rest: number[] = [];
  for await (const result of results) rest.push(result);
  expect(rest).toEqual([2, 4, 6, 8]);
});

test('a failure is thrown in its turn, and what was started is awaited', async () => {
  let ended = 0;
  const work = async (at: number) => {
    await Promise.resolve();
    ended += 1;
    if (at === 1) throw new Error('No');
    return at;
  };
  const results = readAhead(numbers(5), work, 2);
  expect((await results.next()).value).toBe(0);
  await expect(results.next()).rejects.toThrow('No');
  expect(ended).toBe(4);
});
