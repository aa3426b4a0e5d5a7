import { symlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createPause } from '../../platform/cooperative.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { isFolder, isModule, MODES, type TreeEntry } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { findEntry } from '../../platform/git/tree-walk.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { ReadBlobFacts } from './blob-facts.ts';
import { makeFolder, writeNewFile } from './new-files.ts';

/** A folder of a commit. */
export interface CommitFolder {
  readonly repoId: string;
  readonly commit: string;
  /** Undefined: the root. */
  readonly path?: string | undefined;
}

/** The size of files: their bytes, and the number of files and folders. */
export interface CheckOutSize {
  readonly bytes: number;
  readonly entries: number;
}

export interface CheckOutTarget {
  /** The absolute path of a folder that does not exist yet. */
  readonly folder: string;
  readonly max: CheckOutSize;
  readonly signal: AbortSignal;
}

/**
 * Writes the files of a commit into a new folder, readable by everybody. Returns their size. Throws a `CheckOutFault` if
 * they cannot be written as they are.
 */
export type CheckOut = (from: CommitFolder, target: CheckOutTarget) => Promise<CheckOutSize>;

/** An error of a check-out whose message may be shown to whoever may read the repository. */
export class CheckOutFault extends Error {
  override name = 'CheckOutFault';
}

/** The maximum length of a path on Linux. */
const MAX_PATH_BYTES = 4095;
/** The maximum length of a link's target on Linux. */
const MAX_LINK_BYTES = 4095;
const SLASH = Buffer.from('/');

interface Dependencies {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
  readonly factsOf: ReadBlobFacts;
  readonly largeFiles: Pick<LargeFiles, 'range'>;
}

/** An entry of a tree with the place where it is written. Paths are bytes, because names need not be UTF-8. */
interface Placed {
  readonly entry: TreeEntry;
  readonly path: Buffer;
}

/** Returns a function that checks commits out, large files included. */
export function createCheckOut({ read, objects, factsOf, largeFiles }: Dependencies): CheckOut {
  async function treeOf(repository: GitRepository, { commit, path }: CommitFolder): Promise<string> {
    const { tree } = await repository.readCommit(commit);
    if (path === undefined) return tree;
    const entry = await findEntry(repository, tree, path.replace(/\/+$/, ''));
    if (!entry || !isFolder(entry)) throw new CheckOutFault(`there is no folder ${path}`);
    return entry.id;
  }

  /** Lists everything below a tree, each folder before its content, within limits. */
  async function listAll(repository: GitRepository, tree: string, { folder, max, signal }: CheckOutTarget) {
    const found: Placed[] = [];
    const pause = createPause();
    let bytes = 0;
    // Generators that call themselves would pass each entry of a deep folder up through all of its parents.
    const folders = [{ tree, path: Buffer.from(folder) }];
    for (let next = folders.pop(); next; next = folders.pop()) {
      for (const entry of await repository.readTree(next.tree)) {
        signal.throwIfAborted();
        const path = Buffer.concat([next.path, SLASH, Buffer.from(entry.name, 'latin1')]);
        if (path.length > MAX_PATH_BYTES) throw new CheckOutFault('a path is too long');
        bytes += await sizeOf(repository, entry);
        if (bytes > max.bytes) throw new CheckOutFault('the files are larger than this hub allows');
        if (found.push({ entry, path }) > max.entries) throw new CheckOutFault('there are too many files');
        if (isFolder(entry)) folders.push({ tree: entry.id, path });
        const waiting = pause();
        if (waiting) await waiting;
      }
    }
    return { found, bytes };
  }

  async function bytesOf(repoId: string, repository: GitRepository, { entry, path }: Placed): Promise<Readable> {
    const { pointer } = await factsOf(repository, entry.id);
    if (!pointer) return (await repository.stream(entry.id)).body;
    if (pointer.size === 0) return Readable.from([]);
    const bytes = await largeFiles.range(read, repoId, pointer, { first: 0, last: pointer.size - 1 });
    if (!bytes) throw new CheckOutFault(`the content of ${lastPartOf(path)} was never uploaded, or is damaged`);
    return bytes;
  }

  async function sizeOf(repository: GitRepository, entry: TreeEntry): Promise<number> {
    if (isFolder(entry) || isModule(entry)) return 0;
    const { pointer, size } = await factsOf(repository, entry.id);
    return pointer?.size ?? size;
  }

  async function writeRegular(repoId: string, repository: GitRepository, placed: Placed, signal: AbortSignal) {
    const mode = placed.entry.mode === MODES.executable ? 0o755 : 0o644;
    const bytes = await bytesOf(repoId, repository, placed);
    await writeNewFile(placed.path, bytes, { mode, signal });
  }

  async function writeLink(repository: GitRepository, { entry, path }: Placed): Promise<void> {
    const { size } = await repository.header(entry.id);
    const target = size > MAX_LINK_BYTES ? undefined : (await repository.read(entry.id)).body;
    if (!target || target.length === 0 || target.includes(0))
      throw new CheckOutFault(`${lastPartOf(path)} is not a link`);
    await symlink(target, path);
  }

  return async (from, target) => {
    const repository = objects.open(from.repoId);
    const { found, bytes } = await listAll(repository, await treeOf(repository, from), target);
    await makeFolder(Buffer.from(target.folder));
    for (const placed of found) {
      target.signal.throwIfAborted();
      if (isFolder(placed.entry) || isModule(placed.entry)) await makeFolder(placed.path);
      else if (placed.entry.mode !== MODES.link) await writeRegular(from.repoId, repository, placed, target.signal);
    }
    // Links come last, so that nothing is written through one.
    for (const placed of found) if (placed.entry.mode === MODES.link) await writeLink(repository, placed);
    return { bytes, entries: found.length };
  };
}

const lastPartOf = (path: Buffer): string => path.subarray(path.lastIndexOf(SLASH) + 1).toString();
