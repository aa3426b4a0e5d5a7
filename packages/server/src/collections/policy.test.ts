import { expect, test } from 'vitest';
import { idIn, moved, scoreWith, scoreWithout, slugOf } from './policy.ts';

const ID = '64f9a55bb3115b4f513ec026';
const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-01-05T12:00:00.000Z');

test('a title becomes a slug of lower-case letters, digits and hyphens', () => {
  expect(slugOf('My cool stuff')).toBe('my-cool-stuff');
  expect(slugOf(' Élan: v1.0 – été! ')).toBe('elan-v1-0-ete');
  expect(slugOf('日本語')).toBe('');
});

test('the last part of a slug is the id', () => {
  expect(idIn(`recent-models-${ID}`)).toBe(ID);
  expect(idIn(`ada/recent-models-${ID.toUpperCase()}`)).toBe(ID);
  expect(idIn(`ada/${ID}`)).toBe(ID);
  expect(idIn(ID)).toBe(ID);
  expect(idIn(`x${ID}`)).toBeUndefined();
  expect(idIn('recent-models')).toBeUndefined();
});

test('an element is moved to a position, or to the end', () => {
  expect(moved(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 'a', 99)).toEqual(['b', 'c', 'a']);
});

test('an upvote weighs as much as two that are three days older', () => {
  const twoOld = scoreWith(scoreWith(0, NOW), NOW);
  const one = scoreWith(0, NOW + 3 * DAY);
  expect(Math.abs(twoOld - one)).toBeLessThanOrEqual(2);
  expect(scoreWith(0, NOW + 4 * DAY)).toBeGreaterThan(twoOld);
});

test('a withdrawn upvote leaves the score of the others', () => {
  const first = scoreWith(0, NOW);
  const both = scoreWith(first, NOW + DAY);
  expect(Math.abs(scoreWithout(both, NOW + DAY) - first)).toBeLessThanOrEqual(10);
  expect(scoreWithout(first, NOW + DAY)).toBe(0);
});
