import { expect, test } from 'vitest';
import { bytesText, hrefOf, placeOf } from './place.ts';

const toy = { type: 'model', repo: 'ada/toy', page: 'tree', revision: 'main', path: '' } as const;

test.each([
  ['/ada/toy', toy],
  ['/datasets/ada/toy', { ...toy, type: 'dataset' }],
  ['/ada/toy/blob/main/a%20b%23%25/c.txt', { ...toy, page: 'blob', path: 'a b#%/c.txt' }],
  ['/ada/toy/tree/try%2Fthis/x', { ...toy, revision: 'try/this', path: 'x' }],
  ['/spaces/ada/toy/commits/refs%2Fpr%2F1', { ...toy, type: 'space', page: 'commits', revision: 'refs/pr/1' }],
  ['/spaces/ada/toy/branches', { ...toy, type: 'space', page: 'branches' }],
  ['/ada/toy/discussions', { ...toy, page: 'discussions' }],
  ['/datasets/ada/toy/discussions/new', { ...toy, type: 'dataset', page: 'discussions', path: 'new' }],
  ['/ada/toy/settings/access-requests', { ...toy, page: 'settings', path: 'access-requests' }],
] as const)('the address %s is parsed into a page and built from it', (address, place) => {
  expect(placeOf(address)).toEqual(place);
  expect(hrefOf(place)).toBe(address);
});

test('a full ref may be unescaped in an address', () => {
  expect(placeOf('/ada/toy/tree/refs/pr/1/x/')).toEqual({ ...toy, revision: 'refs/pr/1', path: 'x' });
});

test.each([
  '/',
  '/ada',
  '/datasets/ada',
  '/inbox/nothing',
  '/ada/toy/nothing',
  '/ada/toy/discussions/1',
  '/ada/toy/settings/x',
  '/ada/toy/branches/x',
])('%s is not the address of a page of a repository', (address) => expect(placeOf(address)).toBeUndefined());

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [6_000_000_000, '6.0 GB'],
])('%i bytes are shown as %s', (bytes, text) => expect(bytesText(bytes)).toBe(text));
