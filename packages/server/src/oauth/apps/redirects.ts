const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns what is wrong with an address that an application registers for its users to come back to. */
export function redirectFault(registered: string): string | undefined {
  const text = registered.endsWith('*') ? registered.slice(0, -1) : registered;
  if (text.includes('*')) return 'may have one * only, at its end';
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isLoopback = protocol === 'http:' && LOOPBACK.has(hostname);
  if (protocol !== 'https:' && !isLoopback) return 'must begin with https://, or with http:// for this machine';
  if (username !== '' || password !== '' || hash !== '' || text.includes('#'))
    return 'must have no user name, password or fragment';
  // Compared as it is written: another spelling of the same address would never match.
  if (!/^https?:\/\/[^/?\\]+\//.test(text)) return 'must have a path: a slash at the least';
  if (new URL(text).href !== text) return `must be written as ${new URL(text).href}`;
  return undefined;
}

/** Returns an address without the port, which programs on this machine choose when they start; others stay. */
function withoutLoopbackPort(text: string): string {
  const url = new URL(text);
  if (url.protocol === 'http:' && LOOPBACK.has(url.hostname)) url.port = '';
  return url.href;
}

/**
 * Whether an application may get its user back at an address: exactly as it is registered, or beginning so where `*` ends
 * the registered one. Of loopback addresses the port does not count.
 */
export function allowsRedirect(registered: readonly string[], asked: string): boolean {
  if (!URL.canParse(asked)) return false;
  const { href, username, password, protocol } = new URL(asked);
  // What a browser would read in another way than it is written is none: backslashes, blanks, `..`, other letters.
  if (href !== asked || username !== '' || password !== '' || asked.includes('#')) return false;
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  const given = withoutLoopbackPort(asked);
  return registered.some((entry) =>
    entry.endsWith('*')
      ? given.startsWith(withoutLoopbackPort(entry.slice(0, -1)))
      : given === withoutLoopbackPort(entry),
  );
}
