import { fromByteText, toByteText } from './objects/byte-text.ts';
import { entryNamed, isFolder, type TreeEntry } from './objects/tree.ts';
import type { GitRepository } from './repository.ts';

/** A tree entry with its full path as text. */
export interface PathEntry extends TreeEntry {
  readonly path: string;
}

type Reader = Pick<GitRepository, 'readTree'>;

/** Returns the entry at a path within a tree, if it exists. */
export async function findEntry(reader: Reader, treeId: string, path: string): Promise<PathEntry | undefined> {
  let tree = treeId;
  const parts = path.split('/').map(toByteText);
  for (const [at, name] of parts.entries()) {
    const entry = entryNamed(await reader.readTree(tree), name);
    if (!entry) return undefined;
    if (at === parts.length - 1) return { ...entry, path };
    if (!isFolder(entry)) return undefined;
    tree = entry.id;
  }
  return undefined;
}

/** The last entry of the previous page, after which a listing continues. */
export interface ListedUpTo {
  /** Relative to the listed folder. */
  readonly path: string;
  readonly folder: boolean;
}

interface Listing {
  /** A prefix of the paths, ending with a slash or empty. */
  readonly prefix: string;
  readonly recursive: boolean;
  readonly after?: ListedUpTo | undefined;
}

/**
 * Lists the entries of a tree in the order of git, each folder before its content. Only the trees of the page are read.
 */
export async function* listTree(
  reader: Reader,
  treeId: string,
  { prefix, recursive, after }: Listing,
): AsyncGenerator<PathEntry> {
  const [first, ...rest] = after?.path.split('/').map(toByteText) ?? [];
  const isLast = rest.length === 0;
  const afterKey = first === undefined ? undefined : `${first}${isLast && !after?.folder ? '' : '/'}`;
  for (const entry of await reader.readTree(treeId)) {
    const key = isFolder(entry) ? `${entry.name}/` : entry.name;
    if (afterKey !== undefined && key < afterKey) continue;
    const path = prefix + fromByteText(entry.name);
    const resumed = key === afterKey;
    if (!resumed) yield { ...entry, path };
    if (!recursive || !isFolder(entry)) continue;
    const below =
      resumed && after && !isLast ? { ...after, path: after.path.slice(after.path.indexOf('/') + 1) } : undefined;
    yield* listTree(reader, entry.id, { prefix: `${path}/`, recursive, after: below });
  }
}
