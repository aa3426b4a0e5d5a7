import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { isFolder, isModule } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { listTree } from '../../platform/git/tree-walk.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { BlobFacts, ReadBlobFacts } from './blob-facts.ts';

/** A file of a commit, by its path. */
export interface CommitFile {
  readonly path: string;
  /** Returns the real size. */
  readonly size: () => Promise<number>;
  /** Returns so many bytes from a place on, fewer at the end; none where the bytes of a large file are not there. */
  readonly bytes: (first: number, length: number) => Promise<Buffer>;
}

/** Returns the files among the first entries of a commit, in the order of git, so many entries at most. */
export type ListCommitFiles = (repoId: string, commit: string, limit: number) => Promise<CommitFile[]>;

async function collect(source: AsyncIterable<Uint8Array>, first: number, length: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let place = 0;
  for await (const piece of source) {
    const [from, to] = [Math.max(first - place, 0), Math.min(first + length - place, piece.length)];
    if (from < to) pieces.push(piece.subarray(from, to));
    place += piece.length;
    if (place >= first + length) break;
  }
  return Buffer.concat(pieces);
}

interface Dependencies {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
  readonly factsOf: ReadBlobFacts;
  readonly largeFiles: Pick<LargeFiles, 'range'>;
}

/** Returns a function that lists the files of a commit for the hub itself to read, small ones and large ones alike. */
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

  return async (repoId, commit, limit) => {
    const repository = objects.open(repoId);
    const { tree } = await repository.readCommit(commit);
    const files: CommitFile[] = [];
    let visited = 0;
    for await (const { path, id, ...entry } of listTree(repository, tree, { prefix: '', recursive: true })) {
      // Folders count, too: those of a hostile tree multiply without a single file.
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
