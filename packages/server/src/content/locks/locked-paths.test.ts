import { expect, test } from 'vitest';
import { lockFinder } from './locked-paths.ts';

test('a lock concerns its path, what is below it, and the folders that it is in', () => {
  const lockOn = lockFinder([
    { path: 'a/b/c.bin', owner: 'ada' },
    { path: 'art', owner: 'bob' },
  ]);
  const ownerOf = (path: string) => lockOn(path)?.owner;
  expect(['a/b/c.bin', 'a/b', 'a', 'a/b/c.bin/d'].map(ownerOf)).toEqual(['ada', 'ada', 'ada', 'ada']);
  expect(['art', 'art/x', 'art/x/y'].map(ownerOf)).toEqual(['bob', 'bob', 'bob']);
  expect(['a/b/c.bi', 'a/b/c.bin2', 'b', 'artist', 'x/art', ''].map(ownerOf)).toEqual(Array(6).fill(undefined));
});
