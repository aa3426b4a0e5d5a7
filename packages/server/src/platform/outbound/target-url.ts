const CONTROL_CHARACTER = /\p{Cc}/u;

/** Says in a sentence what to change in a URL that the hub is to call; `undefined` when nothing is. */
export function checkTargetUrl(url: string): string | undefined {
  // The URL parser drops or escapes these silently, so the text kept would not be the address called.
  if (CONTROL_CHARACTER.test(url)) return 'Remove the control characters from the URL.';
  if (!URL.canParse(url)) return 'Give a whole URL, such as https://example.com/hook.';
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return `Give a URL that begins with https:// or http://; ${protocol} is not supported.`;
  }
  if (username !== '' || password !== '') {
    return 'Remove the user name and the password from the URL; a secret can authenticate the request.';
  }
  if (/^\.*$/.test(hostname)) return 'Give a URL with a host name, such as https://example.com/hook.';
  return undefined;
}

/** Scheme, host and port (the default port left out) of a URL that `checkTargetUrl` accepts (RFC 6454 §6.2). */
export function originOf(url: string): string {
  return new URL(url).origin;
}
