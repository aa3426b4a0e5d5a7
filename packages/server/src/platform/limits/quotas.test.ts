import { describe, expect, test } from 'vitest';
import { addressBlock } from './address-block.ts';
import { parseQuotas } from './quotas.ts';

describe('the setting of rate limits', () => {
  test('may be off, or the numbers of the public hub', () => {
    expect(parseQuotas('off')).toBeUndefined();
    expect(parseQuotas('public')).toMatchObject({
      api: { anonymous: 500, free: 1000, pro: 2500, team: 3000, enterprise: 6000, plus: 10_000 },
      resolvers: { anonymous: 3000, plus: 100_000 },
      pages: { anonymous: 100, plus: 1000 },
    });
  });

  test.each([
    ['7', { anonymous: 7, free: 7, pro: 7, team: 7, enterprise: 7, plus: 7 }],
    ['anonymous=5, free=10,team=20', { anonymous: 5, free: 10, pro: 10, team: 20, enterprise: 20, plus: 20 }],
    ['plus=9,anonymous=1', { anonymous: 1, free: 1, pro: 1, team: 1, enterprise: 1, plus: 9 }],
  ])('may be %s; a tier that is not named has the number of the tier below', (text, numbers) => {
    expect(parseQuotas(text)).toEqual({ api: numbers, resolvers: numbers, pages: numbers });
  });

  test.each([
    'on',
    '0',
    '-1',
    '1.5',
    '1e3',
    'free=10',
    'anonymous=0',
    'anonymous=5,gold=7',
    'anonymous=5;free=6',
    '5,6',
  ])('may not be %s', (text) => expect(() => parseQuotas(text)).toThrow(/^must be off, public, a number/));

  test('may name a tier only once', () => {
    expect(() => parseQuotas('anonymous=5,anonymous=6')).toThrow('names anonymous twice');
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ['nonsense', 'unknown'],
  ['', 'unknown'],
])('the address %j counts as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block);
});
