import { Readable } from 'node:stream';
import type { LargeFiles } from '../../content/index.ts';
import type { ByteRange } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { createSemaphore } from '../../platform/concurrency/semaphore.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { HubError } from '../../platform/http/errors.ts';
import type { WarningLogger } from '../../platform/logger.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { type Pace, withPace } from '../../platform/outbound/remote/pace.ts';
import type { UpstreamClient } from '../remote/client.ts';
import { createJoining } from '../remote/joining.ts';
import { type Patience, refusalOf } from '../remote/patience.ts';
import { type Arrival, createArrival } from './arrival.ts';
import { createCheck, isEmptyContent, type UpstreamContent } from './content-id.ts';
import { createKeeping } from './keeping.ts';
import { createRoom } from './room.ts';

/** Smaller files are fetched and verified before anybody gets a byte. */
const MAX_WHOLE_BYTES = 4 * 1024 * 1024;
const MAX_SMALL = 16;
const MAX_LARGE = 8;
const MAX_WAITING = 1000;

/** A file to serve, and where the upstream has it. */
export interface WantedFile extends UpstreamContent {
  /** The path of its URL at the upstream. */
  readonly url: string;
  /** How messages name the file. */
  readonly what: string;
}

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
  readonly largeFiles: Pick<LargeFiles, 'hold' | 'readHeld' | 'release'>;
  readonly pace: Pace;
  readonly maxBytes: number;
  /** The folder for large files that are on their way. */
  readonly folder: string;
}

const tooMany = () =>
  new HubError(503, 'Too many files of the upstream are being fetched; try again in a minute', {
    headers: { 'retry-after': '60' },
  });

export type FetchFiles = ReturnType<typeof createFetching>;

/** Serves the bytes of files of the upstream: those that are kept, or else those that it fetches, verifies and keeps. */
export function createFetching(given: Dependencies) {
  const { database, clock, logger, client, patience, largeFiles, pace, maxBytes, folder, onFetched, onFile } = given;
  const ending = new AbortController();
  const room = createRoom({ database, largeFiles, maxBytes });
  const joinWhole = createJoining<Buffer>();
  const joinArrival = createJoining<Arrival>();
  const keeping = createKeeping({ database, clock, largeFiles });
  const notKept = (err: unknown, { size }: UpstreamContent) =>
    logger.warn({ err, size }, 'a file of the upstream could not be kept');
  const smallInTurn = createSemaphore({ atOnce: MAX_SMALL, maxWaiting: MAX_WAITING, refuse: tooMany });
  const largeInTurn = createSemaphore({ atOnce: MAX_LARGE, maxWaiting: MAX_WAITING, refuse: tooMany });
  const arrivals = new Map<string, Arrival>();
  const working = new Set<Promise<unknown>>();

  async function* counting(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    for await (const piece of withPace(bytes, pace)) {
      onFetched(piece.length);
      yield piece;
    }
  }

  /** Fetches a small file. Nobody gets a byte before all of it is verified. */
  async function fetchWhole(file: WantedFile): Promise<Buffer> {
    return smallInTurn(() =>
      room.within(file.size, async () => {
        const check = createCheck(file);
        const pieces: Buffer[] = [];
        await using answer = await client.open(file.url, { size: file.size, signal: ending.signal });
        for await (const piece of counting(answer.body)) {
          check.add(piece);
          pieces.push(piece);
        }
        check.finish();
        await keeping.keep(file, Readable.from(pieces)).catch((error: unknown) => notKept(error, file));
        return Buffer.concat(pieces);
      }),
    );
  }

  /** Lets a large file arrive, and keeps it. Calls `onBegun` as soon as it can be read. */
  async function bring(file: WantedFile, onBegun: (arrival: Arrival) => void): Promise<void> {
    await using answer = await client.open(file.url, { size: file.size, signal: ending.signal });
    const arrival = await createArrival(file, folder);
    try {
      arrivals.set(file.id, arrival);
      onBegun(arrival);
      const kept = keeping.keep(file, arrival.readAll());
      const received = arrival.receive(counting(answer.body)).catch((error: unknown) => {
        // The next client begins anew.
        arrivals.delete(file.id);
        throw error;
      });
      const [came, stored] = await Promise.allSettled([received, kept]);
      if (came.status === 'rejected') throw came.reason;
      if (stored.status === 'rejected') notKept(stored.reason, file);
    } finally {
      if (arrivals.get(file.id) === arrival) arrivals.delete(file.id);
      await arrival.leave();
    }
  }

  /** Begins to fetch a large file; returns as soon as it can be read. */
  const begin = (file: WantedFile): Promise<Arrival> =>
    new Promise((resolve, reject) => {
      const work = largeInTurn(() => room.within(file.size, () => bring(file, resolve))).catch((error: unknown) => {
        if (!ending.signal.aborted)
          logger.warn({ err: error, size: file.size }, 'a file of the upstream did not arrive');
        reject(error);
      });
      working.add(work);
      void work.finally(() => working.delete(work));
    });

  async function fetched(file: WantedFile, range: ByteRange | undefined): Promise<Readable | Uint8Array> {
    const { first, last } = range ?? { first: 0, last: file.size - 1 };
    if (file.size <= MAX_WHOLE_BYTES) {
      const whole = await patience.need(file.what, () => joinWhole(file.id, () => fetchWhole(file)));
      onFile('fetched');
      return whole.subarray(first, last + 1);
    }
    const known = arrivals.get(file.id);
    onFile(known ? 'arriving' : 'fetched');
    const arrival = known ?? (await patience.need(file.what, () => joinArrival(file.id, () => begin(file))));
    return arrival.readForClient({ first, last }, (fault) => refusalOf(file.what, fault));
  }

  return {
    /** Returns the bytes of a file, or of a range. Throws 504 if they are not here and the upstream does not give them. */
    async open(file: WantedFile, range: ByteRange | undefined): Promise<Readable | Uint8Array> {
      if (file.size === 0) {
        if (isEmptyContent(file)) return new Uint8Array();
        throw new HubError(502, `${file.what} is described wrongly by the upstream`);
      }
      const kept = await keeping.read(file, range);
      if (kept === undefined) return fetched(file, range);
      onFile('kept');
      return kept;
    },

    /** Ends what is on its way. */
    async close(): Promise<void> {
      ending.abort(new RemoteFault('The hub is stopping'));
      await Promise.all(working);
    },
  };
}
