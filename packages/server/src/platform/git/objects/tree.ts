import { mapCooperatively } from '../../cooperative.ts';
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

/** Returns the entry of a parsed tree that has a name. */
export const entryNamed = (entries: readonly TreeEntry[], name: ByteText): TreeEntry | undefined =>
  entryWithKey(entries, name) ?? entryWithKey(entries, `${name}/`);

function entryWithKey(entries: readonly TreeEntry[], key: string): TreeEntry | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (!entry) return undefined;
    const found = sortKey(entry);
    if (found === key) return entry;
    if (found < key) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/** Encodes a tree, sorted in the order that git requires. */
export function encodeTree(entries: Iterable<TreeEntry>): Buffer {
  const sorted = [...entries].sort(byName);
  return Buffer.concat(
    sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]),
  );
}

/** The modes by their digits, read as a decimal number; files have all permissions that git once wrote. */
const MODES_BY_DIGITS = new Map(
  [40_000, 120_000, 160_000, ...Array.from({ length: 1_000 }, (_, permissions) => 100_000 + permissions)].map(
    (digits) => [digits, String(digits)],
  ),
);
const MAX_MODE = 7;
const FORBIDDEN_NAME = /^\.(\.|git)?$/i;
const ID_BYTES = 20;
const [SPACE, NUL, ZERO, NINE] = [0x20, 0, 0x30, 0x39];
/** Other work may run after so many entries. */
const ENTRIES_AT_ONCE = 256;

/**
 * Parses a tree. Throws if it is truncated, has an unknown mode, a name that no file may have (empty, `.`, `..`, `.git`, or with
 * a slash) or a name twice, or is not in the order of git.
 */
export function parseTree(body: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  Array.from(parseInto(entries, body));
  return entries;
}

/** Parses a tree as `parseTree` does, and lets other work run in between. */
export async function parseLargeTree(body: Buffer): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  await mapCooperatively(parseInto(entries, body), () => {});
  return entries;
}

function* parseInto(entries: TreeEntry[], body: Buffer): Generator<void, void> {
  let keyBefore = '';
  for (let at = 0; at < body.length; ) {
    const { entry, end } = entryAt(body, at);
    const key = sortKey(entry);
    // A file and a folder of the same name may have others in between.
    if (key <= keyBefore || (isFolder(entry) && entryWithKey(entries, entry.name)))
      throw damaged('The entries of a tree are not in order');
    entries.push(entry);
    keyBefore = key;
    at = end;
    if (entries.length % ENTRIES_AT_ONCE === 0) yield;
  }
}

/** Parses the entry of a tree that begins at a position. */
function entryAt(body: Buffer, at: number): { readonly entry: TreeEntry; readonly end: number } {
  const space = endOf(body, at, SPACE);
  const nul = endOf(body, space + 1, NUL);
  const end = nul + 1 + ID_BYTES;
  if (end > body.length) throw damaged('A tree ends within an entry');
  const mode = modeIn(body, at, space);
  const name = body.toString('latin1', space + 1, nul);
  if (mode === undefined) throw damaged('A tree has an entry with an unknown mode');
  if (name === '' || name.includes('/') || FORBIDDEN_NAME.test(name))
    throw damaged('A tree has an entry with a forbidden name');
  return { entry: { mode, name, id: body.toString('hex', nul + 1, end) }, end };
}

/** The entries of two trees, by name, that the other tree does not have or has with another mode or id. */
export interface TreeDifference {
  readonly ours: ReadonlyMap<ByteText, TreeEntry>;
  readonly theirs: ReadonlyMap<ByteText, TreeEntry>;
}

/** Compares two trees, parses only entries that differ, and lets other work run in between. Throws for such an entry that is damaged. */
export async function compareTrees(ours: Buffer, theirs: Buffer): Promise<TreeDifference> {
  const difference = { ours: new Map<ByteText, TreeEntry>(), theirs: new Map<ByteText, TreeEntry>() };
  await mapCooperatively(compareInto(difference, ours, theirs), () => {});
  return difference;
}

function* compareInto(
  found: Readonly<Record<keyof TreeDifference, Map<ByteText, TreeEntry>>>,
  ours: Buffer,
  theirs: Buffer,
): Generator<void, void> {
  let [left, right] = [0, 0];
  for (let compared = 1; left < ours.length || right < theirs.length; compared++) {
    const same = lengthOfSame(ours, left, theirs, right);
    const our = same === 0 && left < ours.length ? entryAt(ours, left) : undefined;
    const their = same === 0 && right < theirs.length ? entryAt(theirs, right) : undefined;
    const order = our && their ? byName(our.entry, their.entry) : 0;
    if (our && order <= 0) found.ours.set(our.entry.name, our.entry);
    if (their && order >= 0) found.theirs.set(their.entry.name, their.entry);
    left = our && order <= 0 ? our.end : left + same;
    right = their && order >= 0 ? their.end : right + same;
    if (compared % ENTRIES_AT_ONCE === 0) yield;
  }
}

/** Returns the number of bytes of the entries at two positions; 0 if they differ. */
function lengthOfSame(ours: Buffer, left: number, theirs: Buffer, right: number): number {
  const rest = Math.min(ours.length - left, theirs.length - right);
  let nul = 0;
  while (nul < rest && ours[left + nul] === theirs[right + nul] && ours[left + nul] !== NUL) nul++;
  const length = nul + 1 + ID_BYTES;
  if (length > rest) return 0;
  for (let at = nul; at < length; at++) if (ours[left + at] !== theirs[right + at]) return 0;
  return length;
}

/** Returns the position of the next such byte, or that of the end. */
function endOf(body: Buffer, from: number, byte: number): number {
  let at = from;
  while (at < body.length && body[at] !== byte) at++;
  return at;
}

/** Returns a mode without a leading zero; undefined if there is no such mode. */
function modeIn(body: Buffer, from: number, to: number): string | undefined {
  let digits = 0;
  for (let at = from; at < to; at++) {
    const byte = body[at] ?? 0;
    if (byte < ZERO || byte > NINE || to - from > MAX_MODE) return undefined;
    digits = digits * 10 + byte - ZERO;
  }
  return MODES_BY_DIGITS.get(digits);
}
