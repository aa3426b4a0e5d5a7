import { expect, test } from 'vitest';
import { choosePacks } from './pack-choice.ts';

const packs = (...sizes: number[]) =>
  sizes.map((bytes, at) => ({
    ...{ name: `${at}`, bytes, objects: 1, indexed: true, replaces: 0, replacedBy: null },
  }));
const chosenOf = (...sizes: number[]) => choosePacks(packs(...sizes)).map(({ bytes }) => bytes);

test('small packs become one, and large ones stay until as much has come together', () => {
  expect(chosenOf(1000, 1, 2, 3)).toEqual([1, 2, 3]);
  expect(chosenOf(12, 1, 2, 3)).toEqual([1, 2, 3, 12]);
  expect(chosenOf(13, 1, 2, 3)).toEqual([1, 2, 3]);
});

test('a single pack stays, and so do packs that would be too large together', () => {
  expect(chosenOf(5)).toEqual([]);
  expect(chosenOf()).toEqual([]);
  expect(chosenOf(2 ** 30, 1)).toEqual([]);
  expect(chosenOf(2 ** 29, 2 ** 29, 1, 1)).toEqual([1, 1]);
});

test('sizes of a repository that only grows are written again a few times, not each time', () => {
  let sizes: number[] = [];
  let written = 0;
  for (let commit = 0; commit < 3000; commit++) {
    sizes.push(1);
    if (sizes.length < 30) continue;
    const chosen = chosenOf(...sizes);
    const sum = chosen.reduce((total, bytes) => total + bytes, 0);
    written += sum;
    sizes = [...sizes.toSorted((a, b) => a - b).slice(chosen.length), sum];
  }
  expect(sizes.length).toBeLessThan(30);
  expect(written / 3000).toBeLessThan(8);
});
