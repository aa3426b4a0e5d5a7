import type { Pause } from '../../cooperative.ts';
import { type ByteText, fromByteText } from '../objects/byte-text.ts';
import { encodeTree, isFolder, MODES, type TreeEntry } from '../objects/tree.ts';
import { mergeFiles } from './merge-files.ts';
import type { MergeObjects } from './merge-objects.ts';

export interface MergedTree {
  readonly tree: string;
  /** Paths that both sides changed differently; the tree's entries there are only placeholders. */
  readonly conflicts: readonly string[];
}

export interface TreeMerging {
  readonly objects: MergeObjects;
  readonly isOpaque: (body: Buffer) => boolean;
  readonly pause: Pause;
}

/** The versions of one path in the base and on both sides, each possibly absent. */
interface ThreeWay<T> {
  readonly base: T | undefined;
  readonly ours: T | undefined;
  readonly theirs: T | undefined;
}

type Entry = TreeEntry | undefined;

const isSame = (one: Entry, other: Entry): boolean => one?.id === other?.id && one?.mode === other?.mode;

const isRegular = (entry: Entry): entry is TreeEntry =>
  entry !== undefined && (entry.mode === MODES.file || entry.mode === MODES.executable);

const mapThreeWay = <T, R>(
  { base, ours, theirs }: ThreeWay<T>,
  map: (each: T | undefined) => R | undefined,
): ThreeWay<R> => ({
  base: map(base),
  ours: map(ours),
  theirs: map(theirs),
});

/** Returns the result for an entry that at most one side has changed, otherwise undefined. */
function trivialMerge({ base, ours, theirs }: ThreeWay<TreeEntry>): { readonly entry: Entry } | undefined {
  if (isSame(ours, theirs) || isSame(base, theirs)) return { entry: ours };
  return isSame(base, ours) ? { entry: theirs } : undefined;
}

/** Merges trees entry by entry; entries that only one side changed are taken over unread. */
class TreeMerge {
  readonly conflicts: string[] = [];
  readonly #merging: TreeMerging;

  constructor(merging: TreeMerging) {
    this.#merging = merging;
  }

  /** Returns the id of the merged folder, or undefined if the folder is empty. */
  async folder(path: ByteText, { base, ours, theirs }: ThreeWay<TreeEntry>): Promise<string | undefined> {
    const [from, left, right] = [await this.#entries(base), await this.#entries(ours), await this.#entries(theirs)];
    const merged: TreeEntry[] = [];
    for (const name of new Set([...from.keys(), ...left.keys(), ...right.keys()])) {
      const three = { base: from.get(name), ours: left.get(name), theirs: right.get(name) };
      const entry = await this.#entry(path === '' ? name : `${path}/${name}`, name, three);
      if (entry) merged.push(entry);
    }
    if (merged.length === 0) return undefined;
    return this.#merging.objects.add({ type: 'tree', body: encodeTree(merged) });
  }

  async #entries(folder: Entry): Promise<Map<ByteText, TreeEntry>> {
    const waiting = this.#merging.pause();
    if (waiting) await waiting;
    const entries = folder ? await this.#merging.objects.readTree(folder.id) : [];
    return new Map(entries.map((entry) => [entry.name, entry]));
  }

  async #entry(path: ByteText, name: ByteText, three: ThreeWay<TreeEntry>): Promise<Entry> {
    const found = trivialMerge(three);
    if (found) return found.entry;
    const folder = await this.#subfolder(
      path,
      name,
      mapThreeWay(three, (entry) => (entry && isFolder(entry) ? entry : undefined)),
    );
    const file = await this.#file(
      path,
      mapThreeWay(three, (entry) => (entry && isFolder(entry) ? undefined : entry)),
    );
    if (!folder || !file) return folder ?? file;
    this.#conflict(path);
    return undefined;
  }

  async #subfolder(path: ByteText, name: ByteText, three: ThreeWay<TreeEntry>): Promise<Entry> {
    const found = trivialMerge(three);
    if (found) return found.entry;
    const id = await this.folder(path, three);
    return id === undefined ? undefined : { name, mode: MODES.folder, id };
  }

  async #file(path: ByteText, three: ThreeWay<TreeEntry>): Promise<Entry> {
    const found = trivialMerge(three);
    if (found) return found.entry;
    const { base, ours, theirs } = three;
    if (!isRegular(ours) || !isRegular(theirs)) {
      this.#conflict(path);
      return base;
    }
    const from = isRegular(base) ? base.id : undefined;
    const merged = await mergeFiles(this.#merging, { base: from, ours: ours.id, theirs: theirs.id });
    const isModeClear = ours.mode === theirs.mode || base?.mode === ours.mode || base?.mode === theirs.mode;
    if (merged.hasConflicts || !isModeClear) this.#conflict(path);
    return { name: ours.name, mode: base?.mode === ours.mode ? theirs.mode : ours.mode, id: merged.id };
  }

  #conflict(path: ByteText): void {
    this.conflicts.push(fromByteText(path));
  }
}

const rootOf = (id: string): TreeEntry => ({ name: '', mode: MODES.folder, id });

/** Merges two trees with a common base or without one. */
export async function mergeTrees(
  merging: TreeMerging,
  { base, ours, theirs }: { readonly base: string | undefined; readonly ours: string; readonly theirs: string },
): Promise<MergedTree> {
  const three = { base: base === undefined ? undefined : rootOf(base), ours: rootOf(ours), theirs: rootOf(theirs) };
  const found = trivialMerge(three)?.entry;
  if (found) return { tree: found.id, conflicts: [] };
  const merge = new TreeMerge(merging);
  const tree = await merge.folder('', three);
  return {
    tree: tree ?? (await merging.objects.add({ type: 'tree', body: encodeTree([]) })),
    conflicts: [...new Set(merge.conflicts)],
  };
}
