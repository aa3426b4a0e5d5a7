import { expect, test } from 'vitest';
import { memoize } from './memoize.ts';

test('recently requested results are not computed again; the least recently requested one is forgotten', () => {
  const made: string[] = [];
  const upper = memoize(2, (text) => {
    made.push(text);
    return text.toUpperCase();
  });
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(upper)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('a computation that failed is tried again', () => {
  let broken = true;
  const get = memoize(2, (text) => {
    if (broken) throw new Error('no');
    return text;
  });
  expect(() => get('a')).toThrow('no');
  broken = false;
  expect(get('a')).toBe('a');
});
