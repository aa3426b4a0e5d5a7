const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Parses a URL; returns undefined if it is invalid. `URL.canParse` of Node.js 20 is not used, because once optimized it
 * rejects valid URLs with letters such as ü.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Parses a URL that the hub may call; returns a sentence that says what to change if it is not acceptable. */
export function checkTarget(url: string): URL | string {
  // The URL parser silently drops or escapes control characters, so the stored text would differ from the called URL.
  if (CONTROL_CHARACTER.test(url)) return 'Remove the control characters from the URL.';
  const parsed = parseUrl(url);
  if (!parsed) return 'Give a whole URL, such as https://example.com/hook.';
  const { protocol, username, password, hostname } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:') {
    return `Give a URL that begins with https:// or http://; ${protocol} is not supported.`;
  }
  if (username !== '' || password !== '') {
    return 'Remove the user name and the password from the URL; a secret can authenticate the request.';
  }
  if (/^\.*$/.test(hostname)) return 'Give a URL with a host name, such as https://example.com/hook.';
  return parsed;
}

/** The length that every server accepts at least (RFC 9110 §4.1). */
const MAX_URL = 8000;
const TOO_LONG = `Shorten the URL to at most ${MAX_URL} characters.`;

/**
 * Returns a sentence that says what to change in a URL before the hub can call it; undefined if the URL is acceptable.
 */
export function checkTargetUrl(url: string): string | undefined {
  if (url.length > MAX_URL) return TOO_LONG;
  const target = checkTarget(url);
  if (typeof target === 'string') return target;
  // The URL parser interprets the following in unexpected ways.
  if (/\p{Cs}/u.test(url)) return 'Remove the broken character (half of a surrogate pair) from the URL.';
  if (url.includes('\\')) return String.raw`Write / in the URL instead of \, or %5C where a backslash is meant.`;
  if (!/^\s*https?:\/\/[^/]/i.test(url)) return 'Give a URL with a host name, such as https://example.com/hook.';
  const normal = normalUrl(url);
  if (!isUri(normal)) return 'Give a URL whose host name has letters, digits, dots and dashes only.';
  return normal.length > MAX_URL ? TOO_LONG : undefined;
}

const NOT_OF_URI = /%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;

/**
 * A regular expression for text of a URI in which each `%` begins an escape; written so that no text is scanned twice.
 */
const escaped = (characters: string): string => `[${characters}]*(?:%[\\da-f]{2}[${characters}]*)*`;
const HOST = String.raw`\w.~!$&'()*+,;=\-`;
const REST = `${HOST}:@/?`;

/** An http or https URI with a host and without credentials (RFC 3986, RFC 9110 §4.2). */
const URI = new RegExp(
  String.raw`^https?://(?=[^:/?#])(?:\[[\da-f:.]+\]|${escaped(HOST)})(?::\d*)?(?:[/?]${escaped(REST)})?(?:#${escaped(REST)})?$`,
  'i',
);
const isUri = (text: string): boolean => URI.test(text);

/**
 * Returns a valid http or https URL as a URI: unchanged if it is one, otherwise in the form in which it is requested,
 * with all other characters escaped.
 */
export function normalUrl(url: string): string {
  if (isUri(url)) return url;
  const { protocol, host, pathname, search, hash } = new URL(url);
  const fragment = hash === '' ? '' : `#${escapeAll(hash.slice(1))}`;
  return `${protocol}//${host.replace(/["`{}]/g, escapeOne)}${escapeAll(pathname + search)}${fragment}`;
}

const escapeOne = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
const escapeAll = (text: string): string => text.replace(NOT_OF_URI, escapeOne);

/** Returns scheme, host and non-default port of a URL that `checkTargetUrl` accepts (RFC 6454 §6.2). */
export function originOf(url: string): string {
  return new URL(url).origin;
}
