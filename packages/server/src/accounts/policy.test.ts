import { describe, expect, test } from 'vitest';
import { accountNameFault } from './policy.ts';

describe('the name of a user or organization', () => {
  test.each(['ab', 'alice', 'Acme-Labs', 'a1', '1a', 'a-b-c', 'x'.repeat(42), 'deadbeef'])('may be %s', (name) => {
    expect(accountNameFault(name)).toBeUndefined();
  });

  test.each([
    'a',
    'x'.repeat(43),
    '-ab',
    'ab-',
    'a--b',
    'a_b',
    'a.b',
    'a b',
    'ä1',
    '123',
    '65a0c0ffee00000000000001',
    '65A0C0FFEE00000000000001',
    'api',
    'Settings',
    'docs',
    '',
  ])('may not be %j', (name) => {
    expect(accountNameFault(name)).toMatch(/^(must|is)/);
  });
});
