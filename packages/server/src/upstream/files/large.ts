import { BlobError } from '../../platform/blobs/blob-store.ts';
import { createSpace, freeBytesOf } from '../../platform/blobs/folder/free-space.ts';
import { createKeyedSemaphore, createSemaphore } from '../../platform/concurrency/semaphore.ts';
import { HubError, tooManyRequests } from '../../platform/http/errors.ts';
import type { WarningLogger } from '../../platform/logger.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import type { UpstreamClient } from '../remote/client.ts';
import { createJoining } from '../remote/joining.ts';
import { within } from '../remote/patience.ts';
import { type Arrival, createArrival } from './arrival.ts';
import type { WantedFile } from './content-id.ts';
import type { Keeping } from './keeping.ts';
import type { Room } from './room.ts';

/** The files that arrive at once, in all and for one caller, and how many more may wait for their turn. */
const MAX_ARRIVING = 8;
const MAX_OF_CALLER = 4;
const MAX_WAITING = 100;
const MAX_WAITING_OF_CALLER = 16;
const SECONDS_TO_WAIT = 5;

interface Dependencies {
  readonly logger: WarningLogger;
  readonly client: Pick<UpstreamClient, 'open'>;
  readonly keeping: Keeping;
  readonly room: Room;
  /** The folder for files that are on their way. */
  readonly folder: string;
  /** How long a caller waits for a file to begin: clients wait 10 s. */
  readonly beginMs: number;
  readonly lingerMs: number;
  readonly counting: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

const busy = () => tooManyRequests('Many large files of the upstream are on their way', SECONDS_TO_WAIT);

/** Lets large files of the upstream arrive, each once for everybody, and keeps them. */
export function createLarge({ logger, client, keeping, room, folder, beginMs, lingerMs, counting }: Dependencies) {
  const ending = new AbortController();
  const arrivals = new Map<string, Arrival>();
  const working = new Set<Promise<unknown>>();
  const join = createJoining<Arrival>();
  const space = createSpace(folder, freeBytesOf);
  const inTurn = createSemaphore({ atOnce: MAX_ARRIVING, maxWaiting: MAX_WAITING, refuse: busy });
  const inTurnOf = createKeyedSemaphore({ atOnce: MAX_OF_CALLER, maxWaiting: MAX_WAITING_OF_CALLER, refuse: busy });

  /** Lets a file arrive, and keeps it. Calls `onBegun` as soon as the file can be read. */
  async function bring(file: WantedFile, onBegun: (arrival: Arrival) => void): Promise<void> {
    const leave = await room.enter(file.size);
    const abandoning = new AbortController();
    const signal = AbortSignal.any([ending.signal, abandoning.signal]);
    let arrival: Arrival | undefined;
    try {
      await using answer = await client.open(file.url, { size: file.size, signal });
      const onAbandoned = () => abandoning.abort(new RemoteFault('Nobody reads the file any more'));
      arrival = await createArrival(file, { folder, lingerMs, onAbandoned, onClosed: leave });
      arrivals.set(file.id, arrival);
      onBegun(arrival);
      const stored = keeping.keep(file, arrival.readAll());
      const received = arrival.receive(counting(answer.body)).catch((error: unknown) => {
        // The next client begins anew.
        arrivals.delete(file.id);
        throw error;
      });
      const [came, kept] = await Promise.allSettled([received, stored]);
      if (came.status === 'rejected') throw came.reason;
      if (kept.status === 'rejected') keeping.onFailure(kept.reason, file);
    } finally {
      if (arrivals.get(file.id) === arrival) arrivals.delete(file.id);
      if (arrival) await arrival.leave();
      else leave();
    }
  }

  const begin = (file: WantedFile, asker: string): Promise<Arrival> =>
    new Promise((resolve, reject) => {
      const brought = () => space.reserve(file.size, () => bring(file, resolve));
      const work = inTurnOf(asker, () => inTurn(brought)).catch((error: unknown) => {
        if (!(error instanceof HubError) && !ending.signal.aborted)
          logger.warn({ err: error, size: file.size }, 'a file of the upstream did not arrive');
        reject(error instanceof BlobError ? new HubError(507, error.message) : error);
      });
      working.add(work);
      void work.finally(() => working.delete(work));
    });

  return {
    /** Returns a file that is on its way. */
    find: (id: string): Arrival | undefined => arrivals.get(id),

    /** Lets a file arrive for a caller. Throws 429 if it has not begun within the time that clients wait. */
    async fetch(file: WantedFile, asker: string): Promise<Arrival> {
      const arrival = await within(
        join(file.id, () => begin(file, asker)),
        beginMs,
      );
      if (!arrival) throw busy();
      return arrival;
    },

    /** Ends what is on its way. */
    async close(): Promise<void> {
      ending.abort(new RemoteFault('The hub is stopping'));
      await Promise.all(working);
    },
  };
}
