import { damaged } from '../fault.ts';
import type { ByteText } from './byte-text.ts';

export const MODES = {
  file: '100644',
  executable: '100755',
  folder: '40000',
  link: '120000',
  module: '160000',
} as const;

export interface TreeEntry {
  /** In octal digits, without leading zeros. */
  readonly mode: string;
  readonly name: ByteText;
  readonly id: string;
}

export const isFolder = ({ mode }: Pick<TreeEntry, 'mode'>): boolean => mode === MODES.folder;
export const isModule = ({ mode }: Pick<TreeEntry, 'mode'>): boolean => mode === MODES.module;

/** Git compares folders as if their names ended with a slash. */
const sortKey = (entry: TreeEntry): string => (isFolder(entry) ? `${entry.name}/` : entry.name);

const byName = (a: TreeEntry, b: TreeEntry): number => {
  const [left, right] = [sortKey(a), sortKey(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** Encodes a tree, sorted in the order that git requires. */
export function encodeTree(entries: Iterable<TreeEntry>): Buffer {
  const sorted = [...entries].sort(byName);
  return Buffer.concat(
    sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]),
  );
}

const MODE = /^(100\d{3}|40000|120000|160000)$/;
const FORBIDDEN_NAME = /^$|\/|^\.\.?$|^\.git$/i;
const ID_BYTES = 20;

/**
 * Parses a tree. Throws if it is truncated, has an unknown mode, a name that no file may have (empty, `.`, `..`, `.git`, or with
 * a slash) or a name twice, or is not in the order of git.
 */
export function parseTree(body: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const names = new Set<string>();
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const nul = body.indexOf(0, at);
    if (space < 0 || nul < space || nul + 1 + ID_BYTES > body.length) throw damaged('A tree ends within an entry');
    const mode = body.toString('latin1', at, space).replace(/^0/, '');
    const name = body.toString('latin1', space + 1, nul);
    if (!MODE.test(mode)) throw damaged('A tree has an entry with an unknown mode');
    if (FORBIDDEN_NAME.test(name)) throw damaged('A tree has an entry with a forbidden name');
    const entry = { mode, name, id: body.toString('hex', nul + 1, nul + 1 + ID_BYTES) };
    const before = entries.at(-1);
    if (names.has(name) || (before && byName(before, entry) >= 0))
      throw damaged('The entries of a tree are not in order');
    names.add(name);
    entries.push(entry);
    at = nul + 1 + ID_BYTES;
  }
  return entries;
}
