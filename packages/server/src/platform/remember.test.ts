import { expect, test } from 'vitest';
import { remember } from './remember.ts';

test('what was asked lately is not made again; the oldest answers are forgotten', () => {
  const made: string[] = [];
  const upper = remember(2, (text) => {
    made.push(text);
    return text.toUpperCase();
  });
  expect(['a', 'b', 'a', 'c', 'b', 'a'].map(upper)).toEqual(['A', 'B', 'A', 'C', 'B', 'A']);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});

test('what failed is tried again', () => {
  let broken = true;
  const get = remember(2, (text) => {
    if (broken) throw new Error('no');
    return text;
  });
  expect(() => get('a')).toThrow('no');
  broken = false;
  expect(get('a')).toBe('a');
});
