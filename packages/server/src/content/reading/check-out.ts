import { type FileHandle, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { isFolder, isModule, MODES, type TreeEntry } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { findEntry } from '../../platform/git/tree-walk.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { ReadBlobFacts } from './blob-facts.ts';

/** A folder of a commit. */
export interface CommitFolder {
  readonly repoId: string;
  readonly commit: string;
  /** Undefined: the root. */
  readonly path?: string | undefined;
}

interface Target {
  /** The absolute path of a folder that does not exist yet. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Writes the files of a commit into a new folder, readable by everybody. Returns their size in bytes. Throws a
 * `CheckOutFault` if they cannot be written as they are.
 */
export type CheckOut = (from: CommitFolder, target: Target) => Promise<number>;

/** An error of a check-out whose message may be shown to whoever may read the repository. */
export class CheckOutFault extends Error {
  override name = 'CheckOutFault';
}

const MAX_ENTRIES = 200_000;
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

  async function* entriesOf(repository: GitRepository, tree: string, folder: Buffer): AsyncGenerator<Placed> {
    for (const entry of await repository.readTree(tree)) {
      const path = Buffer.concat([folder, SLASH, Buffer.from(entry.name, 'latin1')]);
      yield { entry, path };
      if (isFolder(entry)) yield* entriesOf(repository, entry.id, path);
    }
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
    const file = await open(placed.path, 'wx', mode).catch((error: unknown) => {
      bytes.destroy();
      throw error;
    });
    await withFile(file, async () => {
      // The mode of a new file is limited by the mask of the process.
      await file.chmod(mode);
      await writeFile(file, bytes, { signal });
    });
  }

  async function writeLink(repository: GitRepository, { entry, path }: Placed): Promise<void> {
    const { size } = await repository.header(entry.id);
    const target = size > MAX_LINK_BYTES ? undefined : (await repository.read(entry.id)).body;
    if (!target || target.length === 0 || target.includes(0))
      throw new CheckOutFault(`${lastPartOf(path)} is not a link`);
    await symlink(target, path);
  }

  async function makeFolder(path: Buffer): Promise<void> {
    await mkdir(path);
    const folder = await open(path);
    await withFile(folder, () => folder.chmod(0o755));
  }

  return async (from, { folder, maxBytes, signal }) => {
    const repository = objects.open(from.repoId);
    const tree = await treeOf(repository, from);
    const root = Buffer.from(folder);
    const found: Placed[] = [];
    let bytes = 0;
    for await (const placed of entriesOf(repository, tree, root)) {
      signal.throwIfAborted();
      bytes += await sizeOf(repository, placed.entry);
      if (bytes > maxBytes) throw new CheckOutFault('the files are larger than this hub allows');
      if (found.push(placed) > MAX_ENTRIES) throw new CheckOutFault(`there are more than ${MAX_ENTRIES} files`);
    }
    await makeFolder(root);
    for (const placed of found) {
      signal.throwIfAborted();
      if (isFolder(placed.entry) || isModule(placed.entry)) await makeFolder(placed.path);
      else if (placed.entry.mode !== MODES.link) await writeRegular(from.repoId, repository, placed, signal);
    }
    // Links come last, so that nothing is written through one.
    for (const placed of found) if (placed.entry.mode === MODES.link) await writeLink(repository, placed);
    return bytes;
  };
}

async function withFile(file: FileHandle, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await file.close();
  }
}

const lastPartOf = (path: Buffer): string => path.subarray(path.lastIndexOf(SLASH) + 1).toString();
