import { buffer } from 'node:stream/consumers';
import type { LargeFiles } from '../content/index.ts';
import { boundedCache } from '../platform/bounded-cache.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { asXorb, indexOfList } from '../platform/xet/chunk-list.ts';
import type { ChunkRun } from '../platform/xet/chunk-runs.ts';
import { chunkRuns } from '../platform/xet/chunk-runs.ts';
import { indexBytes, readXorbIndex, type XorbIndex } from '../platform/xet/xorb-index.ts';
import { unbroken } from './faults.ts';
import { type FilesOfRepo, findXorbsOfFiles, type XorbOfFile } from './reading/file-store.ts';
import { readList } from './reading/reconstructions.ts';
import { findXorbs } from './store.ts';
import type { XorbRow } from './tables.ts';

/** The number of xorbs in memory for one shard: their indexes have about 40 kB each, and at most 330 kB. */
const MAX_OPEN = 64;
/** The number of hashes that one query looks up. */
const BATCH_ROWS = 1000;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly largeFiles: Pick<LargeFiles, 'lendHeld' | 'readHeld'>;
}

/** A xorb whose index was read. */
interface OpenXorb {
  readonly index: XorbIndex;
  /** Returns some chunks, as they are stored. */
  chunks(start: number, end: number): AsyncGenerator<ChunkRun, void>;
}

export type StoredXorbs = Awaited<ReturnType<ReturnType<typeof createStoredXorbs>>>;

/** Returns the function that finds those of some xorbs that an owner has, or that are made of a file of a repository. */
export function createStoredXorbs({ read, largeFiles }: Dependencies) {
  async function openUploaded({ sha256, size, chunks }: XorbRow): Promise<OpenXorb> {
    const range = { first: size - indexBytes(chunks), last: size - 1 };
    const index = readXorbIndex(await buffer(unbroken(await largeFiles.readHeld(sha256, range))));
    return {
      index,
      async *chunks(start, end) {
        yield* chunkRuns(unbroken(await largeFiles.lendHeld(sha256, index.storedRange(start, end))));
      },
    };
  }

  async function openOfFile({ sha256, chunks_sha256, ...xorb }: XorbOfFile): Promise<OpenXorb> {
    const list = await readList(largeFiles, chunks_sha256, xorb);
    return {
      index: indexOfList(list),
      async *chunks(start, end) {
        const first = xorb.first_byte + list.offset(start);
        const last = xorb.first_byte + list.offset(end) - 1;
        const bytes = unbroken(await largeFiles.lendHeld(sha256, { first, last }));
        yield* chunkRuns(asXorb(list, { start, end }, bytes));
      },
    };
  }

  return async (ownerId: string, files: FilesOfRepo, hashes: readonly string[]) => {
    const uploaded = new Map<string, XorbRow>();
    const ofFiles = new Map<string, XorbOfFile>();
    for (let at = 0; at < hashes.length; at += BATCH_ROWS) {
      const batch = hashes.slice(at, at + BATCH_ROWS);
      for (const row of await findXorbs(read, ownerId, batch)) uploaded.set(row.hash, row);
      const others = batch.filter((hash) => !uploaded.has(hash));
      if (others.length > 0) for (const row of await findXorbsOfFiles(read, files, others)) ofFiles.set(row.hash, row);
    }
    const opened = boundedCache<string, OpenXorb>(MAX_OPEN);

    async function open(hash: string): Promise<OpenXorb | undefined> {
      const [row, ofFile] = [uploaded.get(hash), ofFiles.get(hash)];
      const xorb = opened.get(hash) ?? (row ? await openUploaded(row) : ofFile && (await openOfFile(ofFile)));
      if (xorb) opened.set(hash, xorb);
      return xorb;
    }

    return {
      /** Returns whether the owner has a xorb that was uploaded. */
      wasUploaded: (hash: string): boolean => uploaded.has(hash),
      index: async (hash: string): Promise<XorbIndex | undefined> => (await open(hash))?.index,

      /** Returns some chunks of a xorb, as they are stored. The xorb and its chunks must exist. */
      async *chunks(hash: string, start: number, end: number): AsyncGenerator<ChunkRun, void> {
        const xorb = await open(hash);
        if (!xorb) throw new Error('A xorb that a file consists of is not there');
        yield* xorb.chunks(start, end);
      },

      /** Returns the blobs of the uploaded xorbs. */
      blobs: (): string[] => [...uploaded.values()].map(({ sha256 }) => sha256),
      /** Returns the hashes of the uploaded xorbs. */
      hashes: (): string[] => [...uploaded.keys()],
    };
  };
}
