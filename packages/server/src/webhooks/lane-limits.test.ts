import { expect, test } from 'vitest';
import { createLaneLimits } from './lane-limits.ts';

test('a lane begins with eight places, and a receiver that answers gets up to 32', () => {
  const limits = createLaneLimits();
  expect(limits.free('a')).toBe(8);
  limits.begin('a', 8);
  expect(limits.free('a')).toBe(0);
  for (let answers = 0; answers < 4; answers++) {
    limits.end('a', true);
    limits.begin('a', 1);
  }
  expect(limits.free('a')).toBe(32 - 8);
});

test('a receiver that fails is tried by one request at a time until it answers', () => {
  const limits = createLaneLimits();
  limits.begin('a', 8);
  limits.end('a', false);
  expect(limits.free('a')).toBe(0);
  for (let left = 7; left > 0; left--) limits.end('a', false);
  expect(limits.free('a')).toBe(1);
  limits.begin('a', 1);
  limits.end('a', true);
  expect(limits.free('a')).toBe(8);
});

test('a lane with nothing in flight has a place even where the others fill the limit in all', () => {
  const limits = createLaneLimits();
  for (let lane = 0; lane < 32; lane++) limits.begin(`busy ${lane}`, 8);
  expect(limits.free('busy 0')).toBe(0);
  expect(limits.free('idle')).toBe(1);
  for (let lane = 0; lane < 64; lane++) limits.begin(`late ${lane}`, 1);
  expect(limits.free('idle')).toBe(0);
});

test('lanes are served in turn', () => {
  const limits = createLaneLimits();
  expect(limits.inTurn(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  limits.begin('a', 1);
  expect(limits.inTurn(['a', 'b', 'c'])).toEqual(['b', 'c', 'a']);
});
