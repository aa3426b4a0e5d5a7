import type { LargeFiles } from '../../content/index.ts';
import type { BlobName, Bytes } from '../../platform/blobs/blob-store.ts';
import { verified } from '../../platform/blobs/verified.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ChunkThreads } from '../../platform/xet/chunk-threads.ts';
import { HOLD_MS } from '../hold.ts';
import { cutFile, maxListBytes } from './cut-file.ts';
import { putFile } from './file-store.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'hold' | 'readHeld'>;
  readonly threads: ChunkThreads;
}

export type CutIntoChunks = ReturnType<typeof createChunkLists>;

/**
 * Returns the function that cuts a stored file into chunks, keeps a list of them as a blob and returns the hash of the
 * file; `paced` may slow the reading down.
 */
export const createChunkLists =
  ({ clock, largeFiles, threads }: Dependencies) =>
  async (file: BlobName, paced: (bytes: Bytes) => Bytes): Promise<string> => {
    const whole = await largeFiles.readHeld(file.sha256, { first: 0, last: file.size - 1 });
    const cut = cutFile(file, verified(file, paced(whole)), threads);
    return largeFiles.hold({
      bytes: cut.records(),
      maxBytes: maxListBytes(file.size),
      until: clock.now() + HOLD_MS,
      onStored: async (tx, list) => {
        const { hash, ...parts } = cut.end();
        await putFile(tx, { ...file, hash, chunks_sha256: list.sha256 }, parts);
        return hash;
      },
    });
  };
