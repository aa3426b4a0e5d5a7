import { expect, test } from 'vitest';
import { countText, fullness, usageText, usedShare } from './usage-text.ts';

const GIB = 1024 ** 3;

test.each([
  [0, null, '0 GiB, no limit', undefined, undefined],
  [1234.5 * GIB, null, '1235 GiB, no limit', undefined, undefined],
  [12.5 * GIB, 50, '12.5 of 50 GiB', 0.25, undefined],
  [1024, 1, 'less than 0.0001 of 1 GiB', 2 ** -20, undefined],
  [0.00095 * GIB, 0.001, '0.00095 of 0.001 GiB', 0.95, 'almost full'],
  [45 * GIB, 50, '45 of 50 GiB', 0.9, 'almost full'],
  [60 * GIB, 50, '60 of 50 GiB', 1, 'full'],
  [0, 0, '0 of 0 GiB', 1, 'full'],
])('%d bytes with a quota of %s GiB are shown as %s', (usedBytes, storageGib, text, share, full) => {
  const usage = { usedBytes, storageGib };
  expect([usageText(usage), usedShare(usage), fullness(usage)]).toEqual([
    text,
    share === undefined ? undefined : expect.closeTo(share),
    full,
  ]);
});

test.each([
  [0, 100, '0 of 100', 0, undefined],
  [1234, 2000, '1,234 of 2,000', 0.617, undefined],
  [9, 10, '9 of 10', 0.9, 'almost full'],
  [12, 10, '12 of 10', 1, 'full'],
  [0, 0, '0 of 0', 1, 'full'],
  [7, null, '7, no limit', undefined, undefined],
])('%d things with a quota of %s are shown as %s', (used, limit, text, share, full) => {
  const usage = { used, limit };
  expect([countText(usage), usedShare(usage), fullness(usage)]).toEqual([text, share, full]);
});
