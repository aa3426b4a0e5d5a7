import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { isFolder, isModule } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { listTree } from '../../platform/git/tree-walk.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { BlobFacts, ReadBlobFacts } from './blob-facts.ts';

/** A file of a commit. */
export interface CommitFile {
  readonly path: string;
  /** Returns the size of the file itself, not that of its pointer. */
  readonly size: () => Promise<number>;
  /** Returns up to `length` bytes from an offset on; none if the bytes of a large file are missing. */
  readonly bytes: (first: number, length: number) => Promise<Buffer>;
}

/**
 * Returns the files among the first `limit` entries of a commit, in git's order; folders count as entries. With
 * `isShallow`, the entries are those of the root.
 */
export type ListCommitFiles = (
  repoId: string,
  commit: string,
  limit: number,
  options?: { readonly isShallow?: boolean },
) => Promise<CommitFile[]>;

async function collect(source: AsyncIterable<Uint8Array>, first: number, length: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let offset = 0;
  for await (const piece of source) {
    const [from, to] = [Math.max(first - offset, 0), Math.min(first + length - offset, piece.length)];
    if (from < to) pieces.push(piece.subarray(from, to));
    offset += piece.length;
    if (offset >= first + length) break;
  }
  return Buffer.concat(pieces);
}

interface Dependencies {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
  readonly factsOf: ReadBlobFacts;
  readonly largeFiles: Pick<LargeFiles, 'range'>;
}

/** Returns a function that lists the files of a commit for the hub's own use, regular and large files alike. */
export function createCommitFiles({ read, objects, factsOf, largeFiles }: Dependencies): ListCommitFiles {
  async function bytesOf(repoId: string, repository: GitRepository, id: string, first: number, length: number) {
    const { pointer, size }: BlobFacts = await factsOf(repository, id);
    const real = pointer?.size ?? size;
    if (length <= 0 || first >= real) return Buffer.alloc(0);
    if (!pointer) return collect((await repository.stream(id)).body, first, length);
    const range = { first, last: Math.min(first + length, real) - 1 };
    const bytes = await largeFiles.range(read, repoId, pointer, range);
    return bytes ? collect(bytes, 0, length) : Buffer.alloc(0);
  }

  return async (repoId, commit, limit, { isShallow = false } = {}) => {
    const repository = objects.open(repoId);
    const { tree } = await repository.readCommit(commit);
    const files: CommitFile[] = [];
    let visited = 0;
    for await (const { path, id, ...entry } of listTree(repository, tree, { prefix: '', recursive: !isShallow })) {
      // Folders count as well: a hostile tree can multiply folders without containing a single file.
      if (++visited > limit) break;
      if (isFolder(entry) || isModule(entry)) continue;
      files.push({
        path,
        size: async () => {
          const { pointer, size } = await factsOf(repository, id);
          return pointer?.size ?? size;
        },
        bytes: (first, length) => bytesOf(repoId, repository, id, first, length),
      });
    }
    return files;
  };
}
