import { expect, test } from 'vitest';
import { checkTargetUrl, originOf } from './target-url.ts';

test.each([
  'https://example.com/hook',
  'http://example.com:8080/hook?a=1#part',
  'HTTPS://EXAMPLE.com',
  'https://example.com:25/',
  'https://münchen.example/',
  'http://127.0.0.1:3000/',
  'http://[2606:4700::1111]/',
])('a URL that can be called is accepted: %s', (url) => expect(checkTargetUrl(url)).toBeUndefined());

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'ws://example.com/',
])('a scheme other than http and https is named and refused: %s', (url) =>
  expect(checkTargetUrl(url)).toMatch(/^Give a URL that begins with https:\/\/ or http:\/\/; \w+: is not/),
);

test.each(['http://user:password@example.com/', 'http://user@example.com/', 'http://:password@example.com/'])(
  'credentials are refused: %s',
  (url) => expect(checkTargetUrl(url)).toMatch(/^Remove the user name and the password/),
);

test.each([
  '',
  'example.com/hook',
  '/hook',
  'http://',
  'https://:443/',
  'http://256.1.1.1/',
  'http://a b/',
  'http://x:99999/',
])('a URL that cannot be parsed is refused: "%s"', (url) => expect(checkTargetUrl(url)).toMatch(/^Give a whole URL/));

test('a scope id in an address is refused', () => {
  expect(checkTargetUrl('http://[fe80::1%25eth0]/')).toMatch(/^Give a whole URL/);
});

test('a host that is only a dot is refused', () => {
  expect(checkTargetUrl('http://./')).toMatch(/host name/);
});

test.each(['http://exam\nple.com/', 'http://example.com/\0', 'http://example.com/\t', '\u007fhttp://example.com/'])(
  'control characters are refused: %j',
  (url) => expect(checkTargetUrl(url)).toBe('Remove the control characters from the URL.'),
);

test('an origin is scheme, host and port without the default port', () => {
  expect(originOf('https://Example.com:443/hook?a=1')).toBe('https://example.com');
  expect(originOf('http://example.com:8080/hook')).toBe('http://example.com:8080');
  expect(originOf('http://[::1]:3000/')).toBe('http://[::1]:3000');
});

test('a URL with letters beyond ASCII stays accepted however often it is checked', () => {
  const answers = new Set(Array.from({ length: 100_000 }, () => checkTargetUrl('https://münchen.example/')));
  expect([...answers]).toEqual([undefined]);
});
