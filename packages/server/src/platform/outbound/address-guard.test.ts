import { describe, expect, test } from 'vitest';
import { DENY_MATRIX } from '../../../test/outbound/deny-matrix.ts';
import { createAddressGuard, parseCidr } from './address-guard.ts';

const guard = createAddressGuard({ allow: [], allowLoopback: false });
const allowing = (...allow: string[]) => createAddressGuard({ allow, allowLoopback: false });

describe('the deny matrix', () => {
  for (const { what, first, last, inside = [], publicNeighbours = [] } of DENY_MATRIX) {
    test.each([first, ...inside, last])(`${what}: %s is denied`, (address) => {
      expect(guard.admits(address)).toBe(false);
    });
    if (publicNeighbours.length > 0) {
      test.each(publicNeighbours)(`${what}: its neighbour %s is admitted`, (address) => {
        expect(guard.admits(address)).toBe(true);
      });
    }
  }

  const v4 = DENY_MATRIX.filter(({ first }) => !first.includes(':'));
  test.each(v4)('$what: the v4-mapped form is judged as its IPv4 address', ({ first, last, publicNeighbours = [] }) => {
    expect([first, last].map((address) => guard.admits(`::ffff:${address}`))).toEqual([false, false]);
    for (const address of publicNeighbours) expect(guard.admits(`::FFFF:${address}`)).toBe(true);
  });
});

test.each(['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0', '2606:4700::1111'])(
  'the public address %s is admitted',
  (address) => expect(guard.admits(address)).toBe(true),
);

test('the hexadecimal v4-mapped form is judged as its IPv4 address', () => {
  expect(guard.admits('::ffff:7f00:1')).toBe(false);
  expect(guard.admits('::ffff:a9fe:a9fe')).toBe(false);
  expect(guard.admits('0:0:0:0:0:ffff:0808:0808')).toBe(true);
});

test('a scope id is dropped before an address is judged', () => {
  expect(guard.admits('fe80::1%eth0')).toBe(false);
  expect(guard.admits('::1%lo')).toBe(false);
  expect(guard.admits('2606:4700::1111%eth0')).toBe(true);
  expect(allowing('fe80::/10').admits('fe80::1%eth0')).toBe(true);
});

test.each([
  '',
  'localhost',
  '127.1',
  '0177.0.0.1',
  '2130706433',
  '0x7f.1',
  '1.1.1.1/32',
  '[2606:4700::1111]',
  '1.1.1.1 ',
])('a text that is not an IP address is denied: "%s"', (text) => {
  expect(guard.admits(text)).toBe(false);
  expect(allowing('0.0.0.0/0', '::/0').admits(text)).toBe(false);
});

describe('the allow list', () => {
  test('adds ranges and single addresses to what is admitted by default', () => {
    const widened = allowing('10.1.0.0/16', '192.168.1.7', 'fd00::/8');
    for (const address of ['10.1.0.0', '10.1.255.255', '192.168.1.7', '::ffff:10.1.2.3', 'fd12::1', '1.1.1.1']) {
      expect(widened.admits(address), address).toBe(true);
    }
    for (const address of ['10.0.255.255', '10.2.0.0', '192.168.1.8', 'fc00::1', '127.0.0.1', '::1']) {
      expect(widened.admits(address), address).toBe(false);
    }
  });

  test('of one family does not apply to the other', () => {
    expect(allowing('::/0').admits('127.0.0.1')).toBe(false);
    expect(allowing('::/0').admits('::ffff:127.0.0.1')).toBe(false);
    expect(allowing('0.0.0.0/0').admits('::1')).toBe(false);
    expect(allowing('0.0.0.0/0').admits('::ffff:127.0.0.1')).toBe(true);
  });

  test('with a wrong entry is refused', () => {
    expect(() => allowing('10.0.0.0/8', 'intranet')).toThrow(RangeError);
  });
});

test('loopback is admitted on demand, and nothing else with it', () => {
  const development = createAddressGuard({ allow: [], allowLoopback: true });
  for (const address of ['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1']) {
    expect(development.admits(address), address).toBe(true);
  }
  const others = DENY_MATRIX.filter(({ what }) => !what.includes('loopback'));
  for (const address of [...others.flatMap(({ first, last }) => [first, last]), '::', '::2', '::127.0.0.1']) {
    expect(development.admits(address), address).toBe(false);
  }
});

describe('a CIDR range', () => {
  test.each([
    ['10.0.0.0/8', { address: '10.0.0.0', prefix: 8, family: 'ipv4' }],
    ['10.0.0.1', { address: '10.0.0.1', prefix: 32, family: 'ipv4' }],
    [' fd00::/8 ', { address: 'fd00::', prefix: 8, family: 'ipv6' }],
    ['FD00:0::1', { address: 'fd00::1', prefix: 128, family: 'ipv6' }],
    ['0.0.0.0/0', { address: '0.0.0.0', prefix: 0, family: 'ipv4' }],
  ] as const)('is parsed: %s', (text, range) => expect(parseCidr(text)).toEqual(range));

  test.each(['', 'intranet', '10.0.0/8', '10.0.0.256', '10.0.0.0/8/8', '/8', '[::1]', 'fe80::1%eth0', '010.0.0.0/8'])(
    'that names no address is refused: "%s"',
    (text) => {
      expect(() => parseCidr(text)).toThrow(
        new RangeError(`"${text}" is neither an IP address nor a CIDR range such as 10.0.0.0/8.`),
      );
    },
  );

  test.each([
    ['10.0.0.0/33', 32],
    ['10.0.0.0/', 32],
    ['10.0.0.0/-1', 32],
    ['10.0.0.0/8.0', 32],
    ['10.0.0.0/255.0.0.0', 32],
    ['::/129', 128],
  ])('with a wrong prefix is refused: %s', (text, widest) => {
    expect(() => parseCidr(text)).toThrow(
      new RangeError(`The part after the slash in "${text}" must be a whole number from 0 to ${widest}.`),
    );
  });

  test('of IPv4 written as IPv6 is refused with advice', () => {
    expect(() => parseCidr('::ffff:10.0.0.0/104')).toThrow(/write it as IPv4/);
  });
});
