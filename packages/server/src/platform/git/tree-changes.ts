import { toByteText } from './objects/byte-text.ts';
import { encodeTree, isFolder, MODES, type TreeEntry } from './objects/tree.ts';
import type { GitRepository } from './repository.ts';

/** A change to a tree in terms of paths, so that it can be applied to another tree as well. */
export type TreeChange =
  | { readonly kind: 'put'; readonly path: string; readonly id: string; readonly mode?: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'delete-folder'; readonly path: string }
  /** Deletes a file or a folder. */
  | { readonly kind: 'delete-entry'; readonly path: string };

export type TreeConflictReason = 'missing' | 'file-in-the-way' | 'folder-in-the-way';

/** A change that cannot be applied to a tree. */
export class TreeConflict extends Error {
  override name = 'TreeConflict';
  readonly reason: TreeConflictReason;
  readonly path: string;

  constructor(reason: TreeConflictReason, path: string) {
    super(`${path}: ${reason}`);
    this.reason = reason;
    this.path = path;
  }
}

interface Folder {
  readonly entries: Map<string, TreeEntry | Folder>;
  /** The id of the tree; undefined once its content has changed. */
  id: string | undefined;
}

const isLoadedFolder = (entry: TreeEntry | Folder | undefined): entry is Folder =>
  entry !== undefined && 'entries' in entry;

type Reader = Pick<GitRepository, 'readTree'>;
type AddTree = (body: Buffer) => Promise<string>;

/** Applies changes in order; writes the changed trees and returns the id of the new root. */
export async function changeTree(
  reader: Reader,
  addTree: AddTree,
  rootId: string | undefined,
  changes: Iterable<TreeChange>,
): Promise<string> {
  const root = await openFolder(reader, rootId);
  for (const change of changes) await apply(reader, root, change);
  return (await writeFolder(addTree, root, true)) ?? addTree(encodeTree([]));
}

async function openFolder(reader: Reader, id: string | undefined): Promise<Folder> {
  const entries = id === undefined ? [] : await reader.readTree(id);
  return { entries: new Map(entries.map((entry) => [entry.name, entry])), id };
}

/** Returns the folders from the root to the parent of a path; creates missing ones if `make` is set. */
async function walk(reader: Reader, root: Folder, path: string, make: boolean): Promise<Folder[] | undefined> {
  const folders = [root];
  let folder = root;
  for (const part of path.split('/').slice(0, -1)) {
    const name = toByteText(part);
    const entry = folder.entries.get(name);
    let next: Folder;
    if (isLoadedFolder(entry)) next = entry;
    else if (entry && isFolder(entry)) next = await openFolder(reader, entry.id);
    else if (!make) return undefined;
    else if (entry) throw new TreeConflict('file-in-the-way', path);
    else next = await openFolder(reader, undefined);
    folder.entries.set(name, next);
    folders.push(next);
    folder = next;
  }
  return folders;
}

const lastPart = (path: string): string => toByteText(path.slice(path.lastIndexOf('/') + 1));

async function putEntry(reader: Reader, root: Folder, path: string, entry: Pick<TreeEntry, 'id'> & { mode?: string }) {
  const folders = (await walk(reader, root, path, true)) ?? [];
  const name = lastPart(path);
  const folder = folders.at(-1) ?? root;
  const before = folder.entries.get(name);
  if (isLoadedFolder(before) || (before && isFolder(before))) throw new TreeConflict('folder-in-the-way', path);
  // A replacement keeps the executable bit of a file, but is not a symbolic link unless its mode says so.
  const mode = entry.mode ?? (before?.mode === MODES.executable ? MODES.executable : MODES.file);
  folder.entries.set(name, { name, id: entry.id, mode });
  for (const each of folders) each.id = undefined;
}

/** Deletes an entry of the expected kind. Throws a `TreeConflict` if there is none. */
async function deleteAt(
  reader: Reader,
  root: Folder,
  path: string,
  expected: 'file' | 'folder' | 'any',
): Promise<void> {
  const folders = await walk(reader, root, path, false);
  const name = lastPart(path);
  const entry = folders?.at(-1)?.entries.get(name);
  const found =
    entry !== undefined &&
    (expected === 'any' || (isLoadedFolder(entry) || isFolder(entry)) === (expected === 'folder'));
  if (!folders || !found) throw new TreeConflict('missing', path);
  folders.at(-1)?.entries.delete(name);
  for (const each of folders) each.id = undefined;
}

async function apply(reader: Reader, root: Folder, change: TreeChange): Promise<void> {
  switch (change.kind) {
    case 'put':
      return putEntry(reader, root, change.path, change);
    case 'delete':
      await deleteAt(reader, root, change.path, 'file');
      return;
    case 'delete-folder':
      await deleteAt(reader, root, change.path, 'folder');
      return;
    case 'delete-entry':
      await deleteAt(reader, root, change.path, 'any');
      return;
  }
}

/** Writes a folder and its subfolders; returns its id, or undefined if it is empty. */
async function writeFolder(addTree: AddTree, folder: Folder, isRoot = false): Promise<string | undefined> {
  if (folder.id !== undefined) return folder.id;
  const entries: TreeEntry[] = [];
  for (const [name, entry] of folder.entries) {
    if (!isLoadedFolder(entry)) entries.push(entry);
    else {
      const id = await writeFolder(addTree, entry);
      if (id !== undefined) entries.push({ name, mode: MODES.folder, id });
    }
  }
  if (entries.length === 0 && !isRoot) return undefined;
  return addTree(encodeTree(entries));
}
