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

/** Says in a sentence what to change in a URL that the hub is to call; `undefined` when nothing is. */
export function checkTargetUrl(url: string): string | undefined {
  const target = checkTarget(url);
  return typeof target === 'string' ? target : undefined;
}

/** Scheme, host and port (the default port left out) of a URL that `checkTargetUrl` accepts (RFC 6454 §6.2). */
export function originOf(url: string): string {
  return new URL(url).origin;
}
