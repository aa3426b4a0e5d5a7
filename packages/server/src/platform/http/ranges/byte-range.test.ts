import { expect, test } from 'vitest';
import { byteRange } from './byte-range.ts';

test.each([
  ['bytes=0-0', 10, { first: 0, last: 0 }],
  ['bytes=0-', 10, { first: 0, last: 9 }],
  ['bytes=3-5', 10, { first: 3, last: 5 }],
  ['bytes=9-100', 10, { first: 9, last: 9 }],
  ['bytes=-3', 10, { first: 7, last: 9 }],
  ['bytes=-100', 10, { first: 0, last: 9 }],
  ['BYTES = 1 - 2', 10, { first: 1, last: 2 }],
  ['bytes=10-', 10, 'none'],
  ['bytes=10-20', 10, 'none'],
  ['bytes=-0', 10, 'none'],
  ['bytes=0-', 0, 'none'],
  ['bytes=-5', 0, 'none'],
  ['bytes=0-0', 0, 'none'],
  ['bytes=99999999999999999999999-', 10, 'none'],
  ['bytes=0-99999999999999999999999', 10, { first: 0, last: 9 }],
  ['bytes=5-3', 10, 'all'],
  ['bytes=0-1,3-4', 10, 'all'],
  ['bytes=-', 10, 'all'],
  ['bytes=a-b', 10, 'all'],
  ['bytes=0x1-2', 10, 'all'],
  ['bytes=--1', 10, 'all'],
  ['lines=0-1', 10, 'all'],
  ['', 10, 'all'],
  [undefined, 10, 'all'],
])('the range %s of %i bytes is %j', (header, size, expected) => {
  expect(byteRange(header, size)).toEqual(expected);
});
