import { readFile, stat } from 'node:fs/promises';

/** `search` and `ndots` of resolv.conf(5), by which short names are completed. */
export interface SearchRules {
  readonly search: readonly string[];
  readonly ndots: number;
}

/** Lower-case names and their addresses, in the order of the hosts(5) file. */
export type Hosts = ReadonlyMap<string, readonly string[]>;

/** Parses resolv.conf(5): the last `search` or `domain` line counts, and `ndots` is at most 15. */
export function parseSearchRules(text: string): SearchRules {
  let search: string[] = [];
  let ndots = 1;
  for (const [keyword, ...values] of linesOf(text)) {
    if (keyword === 'search') search = values;
    if (keyword === 'domain') search = values.slice(0, 1);
    const asked = keyword === 'options' ? values.join(' ').match(/\bndots:(\d{1,3})\b/)?.[1] : undefined;
    if (asked !== undefined) ndots = Math.min(Number(asked), 15);
  }
  const domains = search.map((domain) => domain.replace(/^\.+|\.+$/g, '')).filter((domain) => domain !== '');
  return { search: domains, ndots };
}

/** Returns the full names to query for a host, in order; a name that ends with a dot is already complete. */
export function namesToAsk(host: string, { search, ndots }: SearchRules): string[] {
  if (host.endsWith('.')) return [host.slice(0, -1)];
  const completed = search.map((domain) => `${host}.${domain}`);
  const dots = host.split('.').length - 1;
  return dots >= ndots ? [host, ...completed] : [...completed, host];
}

export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const [address = '', ...names] of linesOf(text)) {
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...new Set([...(hosts.get(key) ?? []), address])]);
    }
  }
  return hosts;
}

const linesOf = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.replace(/[#;].*/, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));

/** Returns a function that parses a file, again whenever the file has changed; an unreadable file counts as empty. */
export function parsedFile<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let known: { version: string; content: T } | undefined;
  return async () => {
    const version = await stat(path).then(
      ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
      () => 'none',
    );
    if (known?.version !== version) known = { version, content: parse(await readFile(path, 'utf8').catch(() => '')) };
    return known.content;
  };
}
