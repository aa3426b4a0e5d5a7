import type { Readable } from 'node:stream';
import type { LargeFiles } from '../../content/index.ts';
import type { ByteRange } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { WarningLogger } from '../../platform/logger.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { type Pace, withPace } from '../../platform/outbound/remote/pace.ts';
import type { UpstreamClient } from '../remote/client.ts';
import { type Patience, refusalOf } from '../remote/patience.ts';
import { isEmptyContent, type WantedFile } from './content-id.ts';
import { createKeeping } from './keeping.ts';
import { createLarge } from './large.ts';
import { createRoom } from './room.ts';
import { createSmall } from './small.ts';

/** Smaller files are fetched and verified before anybody gets a byte. */
const MAX_SMALL_BYTES = 4 * 1024 * 1024;

export interface FileCounts {
  /** Called with the bytes that came from the upstream. */
  readonly onFetched: (bytes: number) => void;
  /** Called for each file that is served: whether it was kept, is on its way, or had to be fetched. */
  readonly onFile: (source: 'kept' | 'arriving' | 'fetched') => void;
}

interface Dependencies extends FileCounts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: WarningLogger;
  readonly client: UpstreamClient;
  readonly patience: Patience;
  readonly largeFiles: Pick<LargeFiles, 'keep' | 'readHeld' | 'release'>;
  readonly pace: Pace;
  readonly maxBytes: number;
  /** The folder for large files that are on their way. */
  readonly folder: string;
  readonly beginMs: number;
  readonly lingerMs: number;
}

export type FetchFiles = ReturnType<typeof createFetching>;

/** Serves the bytes of files of the upstream: those that are kept, or else those that it fetches, verifies and keeps. */
export function createFetching(given: Dependencies) {
  const { database, clock, logger, client, patience, largeFiles, pace, maxBytes, onFetched, onFile } = given;
  const { folder, beginMs, lingerMs } = given;

  async function* counting(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    for await (const piece of withPace(bytes, pace)) {
      onFetched(piece.length);
      yield piece;
    }
  }

  const keeping = createKeeping({ database, clock, logger, largeFiles });
  const parts = { client, keeping, room: createRoom({ database, largeFiles, maxBytes }), counting };
  const small = createSmall(parts);
  const large = createLarge({ ...parts, logger, folder, beginMs, lingerMs });

  async function fetchSmall(file: WantedFile, { first, last }: ByteRange): Promise<Readable | Uint8Array> {
    const whole = await patience.need(file.what, () => small.fetch(file));
    onFile('fetched');
    // A client that reads slowly does not keep the bytes in memory.
    return (await keeping.read(file, { first, last })) ?? whole.subarray(first, last + 1);
  }

  async function fetchLarge(file: WantedFile, range: ByteRange, asker: string): Promise<Readable> {
    const known = large.find(file.id);
    onFile(known ? 'arriving' : 'fetched');
    const arrival = known ?? (await patience.need(file.what, () => large.fetch(file, asker)));
    return arrival.readForClient(range, (fault) => refusalOf(file.what, fault));
  }

  return {
    /**
     * Returns the bytes of a file, or of a range, for a caller. Throws 504 if they are not here and the upstream does not
     * give them, 429 while too much is on its way, 507 if there is no room.
     */
    async open(file: WantedFile, range: ByteRange | undefined, asker: string): Promise<Readable | Uint8Array> {
      if (file.size === 0) {
        if (isEmptyContent(file)) return new Uint8Array();
        throw refusalOf(file.what, new RemoteFault('It describes an empty file by the hash of another one'));
      }
      const kept = await keeping.read(file, range);
      if (kept) {
        onFile('kept');
        return kept;
      }
      const part = range ?? { first: 0, last: file.size - 1 };
      return file.size <= MAX_SMALL_BYTES ? fetchSmall(file, part) : fetchLarge(file, part, asker);
    },

    /** Ends what is on its way. */
    async close(): Promise<void> {
      small.close();
      await large.close();
    },
  };
}
