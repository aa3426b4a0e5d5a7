import { expect, test } from 'vitest';
import { base32 } from './base32.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { codeAt, matchingStep, otpauthUri, stepAt, typedCode } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238, appendix B', () => {
  // The RFC shows eight digits, of which the last six are the code.
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)
    expect(codeAt(SECRET, stepAt(seconds * 1000))).toBe(code);
});

test('a clock may differ by one step in both directions, and no step is accepted twice', () => {
  const now = 1_234_567_890_000;
  const step = stepAt(now);
  for (const [difference, isTaken] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const)
    expect(matchingStep(SECRET, codeAt(SECRET, step + difference), { now, after: 0 })).toBe(
      isTaken ? step + difference : undefined,
    );
  expect(matchingStep(SECRET, codeAt(SECRET, step), { now, after: step })).toBeUndefined();
  expect(matchingStep(SECRET, '', { now, after: 0 })).toBeUndefined();
});

test('a code is six digits and may be typed with spaces', () => {
  expect(typedCode(' 123 456 ')).toBe('123456');
  for (const text of ['12345', '1234567', '12345x', '١٢٣٤٥٦', '-12345', '1e5   '])
    expect(typedCode(text)).toBeUndefined();
});

test('base 32 is that of RFC 4648, without padding', () => {
  for (const [text, encoded] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const)
    expect(base32(Buffer.from(text))).toBe(encoded);
});

test('the address for authenticators names the hub, the user and the parameters', () => {
  const url = new URL(otpauthUri({ secret: 'MZXW6YTB', issuer: 'Moonbase hub.example:7780', user: 'ada' }));
  expect(url.href).toContain('otpauth://totp/Moonbase%20hub.example%3A7780:ada?');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ secret: 'MZXW6YTB', issuer: 'Moonbase hub.example:7780' },
    ...{ algorithm: 'SHA1', digits: '6', period: '30' },
  });
});

test('recovery codes differ, are written with dashes, and are found however they are typed', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  const [code = ''] = codes;
  expect(recoveryHash('a', ` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(recoveryHash('a', code));
  expect(recoveryHash('b', code)).not.toBe(recoveryHash('a', code));
});
