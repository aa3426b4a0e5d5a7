import type { LargeFiles } from '../../content/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/http/errors.ts';
import { MAX_CHUNKS } from '../../platform/xet/chunk-header.ts';
import { type ListedXorb, writeShard } from '../../platform/xet/shard-writer.ts';
import type { XetCaller } from '../access.ts';
import { findChunk, xorbsFrom } from './file-store.ts';
import { filesOf, readList } from './reconstructions.ts';

/** A response has at most so many chunks, of about 1 GiB: clients ask again for what follows. */
const MAX_LISTED_CHUNKS = 2 * MAX_CHUNKS;
const MAX_LISTED_XORBS = 64;
/** The time until which clients refer to the chunks of a response: the file may be deleted. */
const VALID_MS = 60 * 60 * 1000;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'readHeld'>;
}

/**
 * Returns the function that finds a chunk among the files of a repository; the response is a shard with the xorb that has it
 * and those after it.
 */
export function createChunkQueries({ read, clock, largeFiles }: Dependencies) {
  return async ({ repo }: XetCaller, hash: string): Promise<Buffer> => {
    const now = clock.now();
    const file = await findChunk(read, filesOf(repo, now), hash);
    if (!file) throw notFound('The repository has no such chunk');
    const xorbs: ListedXorb[] = [];
    let chunks = 0;
    for (const xorb of await xorbsFrom(read, file.sha256, { chunk: file.chunk, limit: MAX_LISTED_XORBS })) {
      chunks += xorb.chunks;
      if (xorbs.length > 0 && chunks > MAX_LISTED_CHUNKS) break;
      xorbs.push({ hash: xorb.hash, list: await readList(largeFiles, file.chunks_sha256, xorb) });
    }
    return writeShard(xorbs, { now: Math.floor(now / 1000), expires: Math.floor((now + VALID_MS) / 1000) });
  };
}
