import { boundedCache } from '../../platform/bounded-cache.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { MAX_POINTER_BYTES, type Pointer, parsePointer } from '../pointer.ts';

/** What lists say of a file. */
export interface BlobFacts {
  /** Of the object in git. */
  readonly size: number;
  /** Where the object stands for a large file. */
  readonly pointer: Pointer | undefined;
}

/** An id stands for the same bytes everywhere. */
const MAX_KNOWN = 100_000;

export type ReadBlobFacts = (repository: GitRepository, id: string) => Promise<BlobFacts>;

/** Returns a function that reads the size of a blob and whether it is a pointer, and remembers it. */
export function createBlobFacts(): ReadBlobFacts {
  const known = boundedCache<string, BlobFacts>(MAX_KNOWN);
  return async (repository, id) => {
    const before = known.get(id);
    if (before) return before;
    const { size } = await repository.header(id);
    const small = size < MAX_POINTER_BYTES;
    const facts = { size, pointer: small ? parsePointer((await repository.read(id)).body) : undefined };
    known.set(id, facts);
    return facts;
  };
}
