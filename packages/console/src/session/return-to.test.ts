import { describe, expect, test } from 'vitest';
import { returnTo, signInPage } from './return-to.ts';

const ORIGIN = 'https://hub.example';
const landing = (page: string) => returnTo(`?return_to=${page}`, ORIGIN);

describe('the page after signing in', () => {
  test('is the page that required signing in, with its filters', () => {
    for (const page of ['/inbox', '/webhooks?search=a%2Fb&page=2', '/oauth/device?user_code=ABCD-EFGH', '/acme/bert'])
      expect(landing(encodeURIComponent(page))).toBe(page);
    expect(returnTo('', ORIGIN)).toBe('/');
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https://evil.example',
    'https://hub.example@evil.example/',
    '%0d%0a',
    '%0d%0aLocation:%20https://evil.example',
    '/%0d%0aSet-Cookie:%20a=b',
    '/%09/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/.%5cevil.example',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'inbox',
    '/login',
    '/login?return_to=/login',
    '',
  ])('row 4: is / if return_to is %j', (page) => {
    expect(landing(page)).toBe('/');
  });

  test('is part of the address of the sign-in page, and keeps its fragment', () => {
    const location = { pathname: '/organizations', search: '?a=b', hash: '#invitation=1.secret' };
    const address = signInPage(location);
    expect(address).toBe('/login?return_to=%2Forganizations%3Fa%3Db#invitation=1.secret');
    expect(returnTo(new URL(address, ORIGIN).search, ORIGIN)).toBe('/organizations?a=b');
    expect(signInPage({ pathname: '/', search: '', hash: '' })).toBe('/login');
  });
});
