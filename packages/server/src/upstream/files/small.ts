import { Readable } from 'node:stream';
import { createSemaphore } from '../../platform/concurrency/semaphore.ts';
import { tooManyRequests } from '../../platform/http/errors.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import type { UpstreamClient } from '../remote/client.ts';
import { createJoining } from '../remote/joining.ts';
import { createCheck, type WantedFile } from './content-id.ts';
import type { Keeping } from './keeping.ts';
import type { Room } from './room.ts';

const MAX_AT_ONCE = 16;
const MAX_WAITING = 500;
const SECONDS_TO_WAIT = 5;
/** The deadline for all of a file. */
const WHOLE_MS = 60_000;

interface Dependencies {
  readonly client: Pick<UpstreamClient, 'open'>;
  readonly keeping: Keeping;
  readonly room: Room;
  readonly counting: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

const busy = () => tooManyRequests('Many files of the upstream are on their way', SECONDS_TO_WAIT);

/** Fetches small files, each once for everybody. Nobody gets a byte before all of the file is verified. */
export function createSmall({ client, keeping, room, counting }: Dependencies) {
  const ending = new AbortController();
  const join = createJoining<Buffer>();
  const inTurn = createSemaphore({ atOnce: MAX_AT_ONCE, maxWaiting: MAX_WAITING, refuse: busy });

  async function receive(file: WantedFile, signal: AbortSignal): Promise<Buffer> {
    const check = createCheck(file);
    const pieces: Buffer[] = [];
    await using answer = await client.open(file.url, { size: file.size, signal });
    for await (const piece of counting(answer.body)) {
      check.add(piece);
      pieces.push(piece);
    }
    check.finish();
    return Buffer.concat(pieces);
  }

  async function bring(file: WantedFile): Promise<Buffer> {
    const slow = new AbortController();
    const fault = new RemoteFault(`It did not send the file within ${WHOLE_MS / 1000} s`);
    const timer = setTimeout(() => slow.abort(fault), WHOLE_MS);
    const leave = await room.enter(file.size);
    try {
      const whole = await receive(file, AbortSignal.any([ending.signal, slow.signal]));
      await keeping.keep(file, Readable.from([whole])).catch((error: unknown) => keeping.onFailure(error, file));
      return whole;
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  return {
    /** Returns all of a file, which is kept from then on, if that is possible. */
    fetch: (file: WantedFile): Promise<Buffer> => join(file.id, () => inTurn(() => bring(file))),

    /** Ends what is on its way. */
    close: (): void => ending.abort(new RemoteFault('The hub is stopping')),
  };
}
