const CONTROL_CHARACTER = /\p{Cc}/u;

/** A URL, or undefined. `URL.canParse` of Node.js 20 refuses good URLs with letters like ü once it has run hot. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** A URL that the hub may call, parsed, or a sentence that says what to change in it. */
export function checkTarget(url: string): URL | string {
  // The URL parser drops or escapes these silently, so the text kept would not be the address called.
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

/** What every server takes at least (RFC 9110 §4.1). */
const MAX_URL = 8000;
const TOO_LONG = `Shorten the URL to at most ${MAX_URL} characters.`;

/** Says in a sentence what to change in a URL that the hub is to call; `undefined` when nothing is. */
export function checkTargetUrl(url: string): string | undefined {
  if (url.length > MAX_URL) return TOO_LONG;
  const target = checkTarget(url);
  if (typeof target === 'string') return target;
  // The URL parser takes these for something else than they say.
  if (/\p{Cs}/u.test(url)) return 'Remove the broken character (half of a surrogate pair) from the URL.';
  if (url.includes('\\')) return String.raw`Write / in the URL instead of \, or %5C where a backslash is meant.`;
  if (!/^\s*https?:\/\/[^/]/i.test(url)) return 'Give a URL with a host name, such as https://example.com/hook.';
  const normal = normalUrl(url);
  if (!isUri(normal)) return 'Give a URL whose host name has letters, digits, dots and dashes only.';
  return normal.length > MAX_URL ? TOO_LONG : undefined;
}

const AUTHORITY = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/i;
const NOT_OF_URI = /%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;

/** Whether a text is a URI of http or https, with a host and without credentials (RFC 3986, RFC 9110 §4.2). */
function isUri(text: string): boolean {
  const [, authority = '', rest = '', fragment = ''] = /^https?:\/\/([^/?#]+)([^#]*)(?:#(.*))?$/is.exec(text) ?? [];
  return AUTHORITY.test(authority) && !/%(?![\da-f]{2})/i.test(authority) && [rest, fragment].every(isClean);
}

const isClean = (text: string): boolean => text.search(NOT_OF_URI) < 0;

/**
 * Returns the URL as a URI: as it is where it is one, otherwise as it is requested, with everything escaped that a URI
 * cannot hold. For any URL of http or https that can be parsed.
 */
export function normalUrl(url: string): string {
  if (isUri(url)) return url;
  const { protocol, host, pathname, search, hash } = new URL(url);
  const fragment = hash === '' ? '' : `#${escapeAll(hash.slice(1))}`;
  return `${protocol}//${host.replace(/["`{}]/g, escapeOne)}${escapeAll(pathname + search)}${fragment}`;
}

const escapeOne = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
const escapeAll = (text: string): string => text.replace(NOT_OF_URI, escapeOne);

/** Scheme, host and port (the default port left out) of a URL that `checkTargetUrl` accepts (RFC 6454 §6.2). */
export function originOf(url: string): string {
  return new URL(url).origin;
}
