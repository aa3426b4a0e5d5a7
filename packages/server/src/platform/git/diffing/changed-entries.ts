import type { Pause } from '../../cooperative.ts';
import type { ByteText } from '../objects/byte-text.ts';
import { isFolder, type TreeEntry } from '../objects/tree.ts';
import type { GitRepository } from '../repository.ts';

/** A file, link or submodule that differs between two trees. */
export interface ChangedEntry {
  readonly path: ByteText;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

type Reader = Pick<GitRepository, 'readTree'>;

interface Folders {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const fileOf = (entry: TreeEntry | undefined) => (entry && !isFolder(entry) ? entry : undefined);
const folderOf = (entry: TreeEntry | undefined) => (entry && isFolder(entry) ? entry.id : undefined);

const isSame = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean =>
  one?.id === other?.id && one?.mode === other?.mode;

/** Lists the differences between two trees by path; identical folders are not read. */
export async function* changedEntries(
  reader: Reader,
  { before, after }: Folders,
  pause: Pause,
  prefix: ByteText = '',
): AsyncGenerator<ChangedEntry> {
  if (before === after) return;
  const waiting = pause();
  if (waiting) await waiting;
  const entriesOf = async (id: string | undefined) =>
    new Map((id === undefined ? [] : await reader.readTree(id)).map((entry) => [entry.name, entry]));
  const [left, right] = [await entriesOf(before), await entriesOf(after)];
  for (const name of [...new Set([...left.keys(), ...right.keys()])].sort()) {
    const [from, to] = [left.get(name), right.get(name)];
    if (isSame(from, to)) continue;
    const path = prefix + name;
    const files = { path, before: fileOf(from), after: fileOf(to) };
    // A deletion comes first, because a file may replace a folder and the other way round.
    if (files.before) yield files;
    yield* changedEntries(reader, { before: folderOf(from), after: folderOf(to) }, pause, `${path}/`);
    if (!files.before && files.after) yield files;
  }
}
