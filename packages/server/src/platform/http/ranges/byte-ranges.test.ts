import { expect, test } from 'vitest';
import { byteRanges } from './byte-ranges.ts';

test.each([
  ['bytes=0-9', [[0, 9]]],
  [
    'bytes=0-9,20-29',
    [
      [0, 9],
      [20, 29],
    ],
  ],
  [
    'Bytes = 0 - 9 , 10-10 ',
    [
      [0, 9],
      [10, 10],
    ],
  ],
])('%s are ranges', (header, ranges) => {
  expect(byteRanges(header)?.map(({ first, last }) => [first, last])).toEqual(ranges);
});

test.each([
  undefined,
  '',
  'bytes=',
  'bytes=5',
  'bytes=5-',
  'bytes=-5',
  'bytes=9-5',
  'bytes=0-9,5-12',
  'bytes=20-29,0-9',
  'bytes=0-9,',
  'bytes=0-9;20-29',
  'items=0-9',
  'bytes=0-99999999999999999999',
  `bytes=${Array.from({ length: 1001 }, (_, at) => `${2 * at}-${2 * at}`).join()}`,
])('%s names none, or not in order', (header) => {
  expect(byteRanges(header)).toBeUndefined();
});
