const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns what is wrong with a URL that must use https; with `mayBeHere`, http is allowed on this machine. */
export function httpsFault(text: string, allowsLoopback: boolean): string | undefined {
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isLoopback = allowsLoopback && protocol === 'http:' && LOOPBACK.has(hostname);
  if (protocol !== 'https:' && !isLoopback) return 'must begin with https://';
  if (username !== '' || password !== '' || search !== '' || hash !== '' || /[?#]/.test(text))
    return 'must have no user name, query or fragment';
  return undefined;
}
