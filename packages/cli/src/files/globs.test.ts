import { expect, test } from 'vitest';
import { globFilter } from './globs.ts';

const chosen = (include: string[] | undefined, exclude: string[] | undefined, ...paths: string[]) =>
  paths.filter(globFilter(include, exclude));

test('without patterns all paths are selected', () => {
  expect(chosen(undefined, undefined, 'a', 'b/c')).toEqual(['a', 'b/c']);
});

test('patterns match whole paths; * also matches slashes', () => {
  expect(chosen(['*.json'], undefined, 'a.json', 'b/c.json', 'a.json5')).toEqual(['a.json', 'b/c.json']);
  expect(chosen(['data/**/x?.bin'], undefined, 'data/a/x1.bin', 'data/x1.bin', 'data/a/x.bin')).toEqual([
    'data/a/x1.bin',
  ]);
});

test('a folder selects its content', () => {
  expect(chosen(['data/'], undefined, 'data/a', 'data/b/c', 'database')).toEqual(['data/a', 'data/b/c']);
});

test('brackets are sets of characters; an unclosed bracket and other special characters are literal', () => {
  expect(chosen(['[ab]?.(x)'], undefined, 'a1.(x)', 'c1.(x)', 'b2.x')).toEqual(['a1.(x)']);
  expect(chosen(['[!a-c]'], undefined, 'a', 'd')).toEqual(['d']);
  expect(chosen(['x['], undefined, 'x[', 'x')).toEqual(['x[']);
});

test('excluded paths are left out even if another pattern includes them', () => {
  expect(chosen(['*.bin'], ['old/*'], 'a.bin', 'old/a.bin')).toEqual(['a.bin']);
});
