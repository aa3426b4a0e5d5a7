const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns what is wrong with a redirect URI that an application registers; undefined if it is valid. */
export function redirectFault(registered: string): string | undefined {
  const text = registered.endsWith('*') ? registered.slice(0, -1) : registered;
  if (text.includes('*')) return 'may have only one *, at its end';
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isLoopback = protocol === 'http:' && LOOPBACK.has(hostname);
  if (protocol !== 'https:' && !isLoopback) return 'must begin with https://, or with http:// for this machine';
  if (username !== '' || password !== '' || hash !== '' || text.includes('#'))
    return 'must have no user name, password or fragment';
  // Redirect URIs are compared as written, so another spelling of the same URI would never match.
  if (!/^https?:\/\/[^/?\\]+\//.test(text)) return 'must have a path: at least a slash';
  if (new URL(text).href !== text) return `must be written as ${new URL(text).href}`;
  return undefined;
}

/** Returns a loopback URI without its port, which local programs choose at start; returns other URIs unchanged. */
function withoutLoopbackPort(text: string): string {
  const url = new URL(text);
  if (url.protocol === 'http:' && LOOPBACK.has(url.hostname)) url.port = '';
  return url.href;
}

/**
 * Returns whether an application may receive its user at a URI: the URI equals a registered one, or begins like a
 * registered one that ends with `*`. The port of loopback URIs is ignored.
 */
export function allowsRedirect(registered: readonly string[], asked: string): boolean {
  if (!URL.canParse(asked)) return false;
  const { href, username, password, protocol } = new URL(asked);
  // Browsers read backslashes, blanks, `..` and unusual characters differently, so a URI with them never matches.
  if (href !== asked || username !== '' || password !== '' || asked.includes('#')) return false;
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  const given = withoutLoopbackPort(asked);
  return registered.some((entry) =>
    entry.endsWith('*')
      ? given.startsWith(withoutLoopbackPort(entry.slice(0, -1)))
      : given === withoutLoopbackPort(entry),
  );
}
