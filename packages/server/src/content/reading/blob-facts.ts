import { boundedCache } from '../../platform/bounded-cache.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { MAX_POINTER_BYTES, type Pointer, parsePointer } from '../pointer.ts';

/** The facts about a blob that lists show. */
export interface BlobFacts {
  /** The size of the object in git. */
  readonly size: number;
  /** The pointer, if the object stands for a large file. */
  readonly pointer: Pointer | undefined;
}

/** Bounds the cache, which all repositories share because an id stands for the same bytes everywhere. */
const MAX_CACHED = 250_000;

export type ReadBlobFacts = (repository: GitRepository, id: string) => Promise<BlobFacts>;

/** Returns a cached function that reads the size of a blob and whether the blob is a pointer. */
export function createBlobFacts(): ReadBlobFacts {
  const cache = boundedCache<string, BlobFacts>(MAX_CACHED);
  return async (repository, id) => {
    const cached = cache.get(id);
    if (cached) return cached;
    const { size } = await repository.header(id);
    const small = size < MAX_POINTER_BYTES;
    const facts = { size, pointer: small ? parsePointer((await repository.read(id)).body) : undefined };
    cache.set(id, facts);
    return facts;
  };
}
