import { expect, test } from 'vitest';
import { accountNameFault } from '../../accounts/index.ts';
import { accountNameLike } from './account-name.ts';

test.each([
  ['grace.hopper@acme.com', 'grace-hopper'],
  ['Grace', 'Grace'],
  ['José.Núñez@acme.com', 'Jose-Nunez'],
  ['--a..b--', 'a-b'],
  ['1234@acme.com', 'user-1234'],
  ['api', 'user-api'],
  ['x', 'user-x'],
  ['名前', 'user'],
  ['@acme.com', 'user'],
  ['0123456789abcdef01234567', 'user-0123456789abcdef01234567'],
  [`${'a'.repeat(34)}.b@acme.com`, 'a'.repeat(34)],
])('the account of %s is named like %s', (userName, name) => {
  expect(accountNameLike(userName)).toBe(name);
  expect(accountNameFault(`${name}-9`)).toBeUndefined();
});
