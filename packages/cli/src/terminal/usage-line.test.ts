import { expect, test } from 'vitest';
import { usageLine } from './usage-line.ts';

const GIB = 1024 ** 3;

test.each([
  [12.34 * GIB, null, '12.3 GiB, no limit'],
  [12.34 * GIB, 50, '12.3 of 50 GiB'],
  [45 * GIB, 50, '45 of 50 GiB, almost used up'],
  [50 * GIB, 50, '50 of 50 GiB, used up'],
])('%d bytes of %s GiB are shown as %s', (usedBytes, storageGib, text) => {
  expect(usageLine({ usedBytes, storageGib })).toBe(text);
});
