import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkTargetUrl, normalUrl, parseUrl } from './target-url.ts';

const ajv = new Ajv();
formats.default(ajv);
const isUri = ajv.compile({ type: 'string', format: 'uri' });

/** The parts of a URI as RFC 3986 has them in appendix B, each of characters that may be there (§2, §3.2.2). */
const RFC_3986 =
  /^https?:\/\/(\[[0-9a-fA-F:.]+\]|([\w\-.~!$&'()*+,;=]|%[0-9a-fA-F]{2})+)(:\d*)?(\/([\w\-.~!$&'()*+,;=:@/]|%[0-9a-fA-F]{2})*)?(\?([\w\-.~!$&'()*+,;=:@/?]|%[0-9a-fA-F]{2})*)?(#([\w\-.~!$&'()*+,;=:@/?]|%[0-9a-fA-F]{2})*)?$/i;

const hostile = fc.constantFrom(
  ...[' ', '\t', '\n', '\\', '/', '//', '#', '?', '%', '%zz', '%2f', '|', '"', '<', '>', '^', '`', '{', '}', '[', ']'],
  ...[
    'ü',
    '🤗',
    '\ud800',
    '\udc00',
    '\u0000',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '。',
    '@',
    ':',
    ':99999',
    '..',
    '',
    'a',
    'B',
  ],
);
const text = fc.array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 8 });
const joined = text.map((parts) => parts.join(''));
const urls = fc
  .tuple(
    fc.constantFrom(
      'https://',
      'http://',
      'HTTP://',
      'http:/',
      'http:///',
      'https:',
      'https:\\\\',
      ' https://',
      'ftp://',
    ),
    fc.oneof(fc.constantFrom('example.com', 'EXAMPLE.com:443', '[::1]', '[2001:DB8::1]:8080', '10.1', ''), joined),
    fc.oneof(
      fc.constantFrom('', '/', '/hook?key=1#top'),
      joined.map((rest) => `/${rest}`),
      joined,
    ),
  )
  .map((parts) => parts.join(''));

test('an accepted URL has a normal form that is a URI and makes the same request', () => {
  let accepted = 0;
  fc.assert(
    fc.property(urls, (url) => {
      if (checkTargetUrl(url) !== undefined) return;
      accepted += 1;
      const normal = normalUrl(url);
      expect(isUri(normal)).toBe(true);
      expect(normal).toMatch(RFC_3986);
      expect(normalUrl(normal)).toBe(normal);
      expect(checkTargetUrl(normal)).toBeUndefined();
      const [given, kept] = [new URL(url), new URL(normal)];
      expect(kept.host).toBe(given.host);
      const readable = (part: string) => part.replace(/%(?![\da-f]{2})/gi, '%25').replace(/%[\da-f]{2}/gi, unescapeOne);
      expect(readable(kept.pathname + kept.search)).toBe(readable(given.pathname + given.search));
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(300);
});

const unescapeOne = (escaped: string): string => String.fromCharCode(Number.parseInt(escaped.slice(1), 16));

test('every URL that was stored before has a normal form', () => {
  fc.assert(
    fc.property(urls, (url) => {
      if (!/^https?:$/.test(parseUrl(url)?.protocol ?? '')) return;
      expect(normalUrl(url)).toMatch(RFC_3986);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['https://example.com/a b', 'https://example.com/a%20b'],
  ['https://münchen.example/ü?ü#ü', 'https://xn--mnchen-3ya.example/%C3%BC?%C3%BC#%C3%BC'],
  ['https://example.com/{a}|?b=[c]|d^e`#f#g', 'https://example.com/%7Ba%7D%7C?b=%5Bc%5D%7Cd%5Ee%60#f%23g'],
  ['https://example.com/100%', 'https://example.com/100%25'],
  ['http://example.com:8080', 'http://example.com:8080'],
  ['HTTPS://EXAMPLE.com', 'HTTPS://EXAMPLE.com'],
])('%s is kept as %s', (url, normal) => {
  expect(checkTargetUrl(url)).toBeUndefined();
  expect(normalUrl(url)).toBe(normal);
});

test.each([
  'http:///x',
  'https:example.com',
  'https:/example.com',
  String.raw`https:\\example.com\x`,
  String.raw`https://example.com\x`,
  'https://example.com/\ud800',
  'http://exa%00mple.com/',
  `https://example.com/${'x'.repeat(8000)}`,
  `https://example.com/${'ü'.repeat(2000)}`,
  'https://example.com:65536/',
])('a URL that is not a URI or not what would be requested is refused: %.60s', (url) =>
  expect(checkTargetUrl(url)).toMatch(/^(Give|Write|Remove|Shorten) /),
);
