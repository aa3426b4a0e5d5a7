import { buffer } from 'node:stream/consumers';
import type { LargeFiles } from '../content/index.ts';
import { boundedCache } from '../platform/bounded-cache.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { ChunkRun } from '../platform/xet/chunk-runs.ts';
import { chunkRuns } from '../platform/xet/chunk-runs.ts';
import { indexBytes, readXorbIndex, type XorbIndex } from '../platform/xet/xorb-index.ts';
import { findXorbs } from './store.ts';
import type { XorbRow } from './tables.ts';

/** The number of indexes in memory for one shard: of about 40 kB, and at most 330 kB. */
const MAX_INDEXES = 64;
/** The number of hashes that one query looks up. */
const BATCH_ROWS = 1000;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly largeFiles: Pick<LargeFiles, 'readHeld'>;
}

export type StoredXorbs = Awaited<ReturnType<ReturnType<typeof createStoredXorbs>>>;

/** Returns the function that finds those of some xorbs that an owner has. */
export function createStoredXorbs({ read, largeFiles }: Dependencies) {
  async function readIndex({ sha256, size, chunks }: XorbRow): Promise<XorbIndex> {
    const range = { first: size - indexBytes(chunks), last: size - 1 };
    return readXorbIndex(await buffer(await largeFiles.readHeld(sha256, range)));
  }

  return async (ownerId: string, hashes: readonly string[]) => {
    const rows = new Map<string, XorbRow>();
    for (let at = 0; at < hashes.length; at += BATCH_ROWS)
      for (const row of await findXorbs(read, ownerId, hashes.slice(at, at + BATCH_ROWS))) rows.set(row.hash, row);
    const indexes = boundedCache<string, XorbIndex>(MAX_INDEXES);

    async function index(hash: string): Promise<XorbIndex | undefined> {
      const row = rows.get(hash);
      if (!row) return undefined;
      const found = indexes.get(hash) ?? (await readIndex(row));
      indexes.set(hash, found);
      return found;
    }

    return {
      has: (hash: string): boolean => rows.has(hash),
      index,

      /** Returns some chunks of a xorb, as they are stored. The xorb and its chunks must exist. */
      async *chunks(hash: string, start: number, end: number): AsyncGenerator<ChunkRun, void> {
        const [row, found] = [rows.get(hash), await index(hash)];
        if (!row || !found) throw new Error('A xorb that a file consists of is not there');
        yield* chunkRuns(await largeFiles.readHeld(row.sha256, found.storedRange(start, end)));
      },

      blobs: (): string[] => [...rows.values()].map(({ sha256 }) => sha256),
      hashes: (): string[] => [...rows.keys()],
    };
  };
}
