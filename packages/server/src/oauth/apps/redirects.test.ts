import { expect, test } from 'vitest';
import { allowsRedirect, redirectFault } from './redirects.ts';

const EXACT = ['https://app.example/callback', 'https://app.example/back?from=hub', 'http://127.0.0.1:8080/done'];
const PREFIX = ['https://space.example/oauth/callback?*', 'https://under.example/app/*'];

test.each(EXACT)('%s is allowed exactly as it is registered', (address) => {
  expect(allowsRedirect(EXACT, address)).toBe(true);
});

test.each([
  'http://127.0.0.1/done',
  'http://127.0.0.1:1/done',
  'https://space.example/oauth/callback?_target_url=%2Fa%3Fb',
  'https://under.example/app/any/where?a=b',
])('%s is allowed: the port of a loopback address does not count, and a prefix may have any end', (address) => {
  expect(allowsRedirect([...EXACT, ...PREFIX], address)).toBe(true);
});

test.each([
  'https://app.example/callback/',
  'https://app.example/Callback',
  'https://app.example/callback?a=b',
  'https://app.example/callback#a',
  'https://app.example/callback#',
  'https://app.example/x/../callback',
  'https://app.example:444/callback',
  'http://app.example/callback',
  'https://APP.example/callback',
  'https://app.example./callback',
  'https://user@app.example/callback',
  'https://app.example@evil.example/callback',
  'https://app.example\\@evil.example/callback',
  ' https://app.example/callback',
  'https://app.example/back',
  'https://app.example/back?from=elsewhere',
  'http://localhost:8080/done',
  'http://[::1]:8080/done',
  'http://127.0.0.1.evil.example/done',
  'https://127.0.0.1/done',
  'https://space.example/oauth/callback',
  'https://space.example/oauth/callback2?a',
  'https://under.example/app',
  'https://under.example/app/../evil',
  'https://under.example/app/%2e%2e/evil',
  'https://under.example.evil.example/app/',
  'javascript:alert(1)',
  '/callback',
  '',
])('%j is not allowed', (address) => {
  expect(allowsRedirect([...EXACT, ...PREFIX], address)).toBe(false);
});

test.each([...EXACT, ...PREFIX, 'http://localhost/', 'http://[::1]:1/a'])('%s can be registered', (address) => {
  expect(redirectFault(address)).toBeUndefined();
});

test.each([
  '*',
  'https://*',
  'https://app.example*',
  'https://*.example/a',
  'https://app.example',
  'http://app.example/a',
  'https://u:p@app.example/a',
  'https://app.example/a#b',
  'https://app.example/a/../b',
  'myapp://callback',
  'javascript:alert(1)',
  'callback',
])('%s cannot be registered', (address) => {
  expect(redirectFault(address)).toMatch(/^m(ust|ay) /);
});
