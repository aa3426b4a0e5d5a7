import { expect, test } from 'vitest';
import { bucketPlaceOf, downloadOf, hrefOfBucket } from './place.ts';

const runs = { repo: 'ada/runs', page: 'tree', path: '' } as const;

test.each([
  ['/buckets/ada/runs', runs],
  ['/buckets/ada/runs/tree/a%20b%23/c', { ...runs, path: 'a b#/c' }],
  ['/buckets/ada/runs/settings', { ...runs, page: 'settings' }],
] as const)('the address %s is parsed into a page and built from it', (address, place) => {
  expect(bucketPlaceOf(address)).toEqual(place);
  expect(hrefOfBucket(place)).toBe(address);
});

test.each(['/buckets', '/buckets/ada', '/ada/runs', '/buckets/ada/runs/settings/x', '/buckets/ada/runs/blob/x'])(
  '%s is not the address of a page of a bucket',
  (address) => expect(bucketPlaceOf(address)).toBeUndefined(),
);

test('the address of a file keeps its characters apart from those of addresses', () => {
  expect(downloadOf('ada/runs', 'a?b/c d')).toBe('/buckets/ada/runs/resolve/a%3Fb/c%20d?download=true');
});
