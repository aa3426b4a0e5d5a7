import { expect, test } from 'vitest';
import { beginCookie, endCookie, sessionIn } from './session-cookie.ts';

test('a cookie lasts for a whole number of seconds, however long the sign-in took', () => {
  expect(beginCookie('http://127.0.0.1:7780', 'secret', 2_591_999.996)).toBe(
    'moonbase-7780=secret; Max-Age=2591999; Path=/; HttpOnly; SameSite=Lax',
  );
  expect(endCookie('https://hub.example')).toBe('__Host-moonbase=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax');
});

test('the cookie of the hub is found among others, and none is found if the address of the hub is invalid', () => {
  const header = 'moonbase-7781=other; moonbase-7780=secret';
  expect(sessionIn(header, 'http://127.0.0.1:7780')).toBe('secret');
  expect(sessionIn(header, 'http://127.0.0.1:7782')).toBeUndefined();
  expect(sessionIn(header, 'http://[')).toBeUndefined();
});
