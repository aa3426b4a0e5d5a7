import { type ApiClient, ApiError, isStatus, type Query } from './api-client.ts';
import { CONTAINER } from './attempt-state.ts';
import { createLogBuffer } from './log-buffer.ts';
import { parsePosition, sinceTime } from './log-cursor.ts';

interface Dependencies {
  readonly api: ApiClient;
  /** Of the log of a pod. */
  readonly path: string;
  /** Where to begin. */
  readonly position: string;
  /** Whether nothing more is written. */
  readonly isOver: () => boolean;
}

export type LogFollower = ReturnType<typeof followLog>;

/** More is left in the connection, which slows the cluster down. A read asks for less. */
const HIGH_BYTES = 1024 * 1024;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/** Of a pod that has ended: then its log is lost, with its machine. */
const TRIES_AT_END = 8;
const LOST = '===== The cluster does not give the rest of the log =====';

/** Follows the log of a pod, ahead of whoever reads it by a little. A connection that breaks goes on where it broke. */
export function followLog({ api, path, position, isOver }: Dependencies) {
  const closing = new AbortController();
  const buffer = createLogBuffer(parsePosition(position).cursor);
  let complete = false;
  let waiting: (() => void)[] = [];

  const wake = (): void => {
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  };
  /** Resolves when there is more, or more room. */
  const change = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  const isClosed = (): boolean => closing.signal.aborted || api.signal.aborted;

  /** One connection, until it ends. */
  async function receive(follow: boolean): Promise<void> {
    const since = sinceTime(buffer.received());
    const query: Query = { container: CONTAINER, timestamps: true, follow, ...(since && { sinceTime: since }) };
    const body = await api.stream(path, query, closing.signal);
    buffer.reconnected();
    for await (const chunk of body) {
      buffer.add(chunk as Buffer);
      wake();
      while (buffer.size() >= HIGH_BYTES && !isClosed()) await change();
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !isClosed(); ) {
      const over = isOver();
      const before = buffer.received();
      try {
        await receive(!over);
        // Only what is asked for after the end is known to be all of it.
        if (over) complete = true;
        failures = 0;
      } catch (error) {
        failures = buffer.received() === before ? failures + 1 : 1;
        const never = isStatus(error, 400, 404);
        if (over && (never || failures >= TRIES_AT_END)) {
          if (!never) buffer.say(LOST);
          complete = true;
        } else if (!isClosed()) await api.pause(waitAfter(error, failures));
      }
      wake();
      if (complete) return;
      if (failures === 0 && !isOver()) await api.pause(FIRST_WAIT_MS);
    }
  }

  const ended = run()
    .catch(() => undefined)
    .finally(wake);

  return {
    /** What there is after a position; of a log that has ended, all or as much as was asked for. Undefined: follow it anew. */
    async read(from: string, most: number): Promise<{ bytes: Buffer; position: string } | undefined> {
      for (;;) {
        const output = buffer.read(from, most);
        wake();
        if (!output || output.bytes.length >= most || complete || !isOver()) return output;
        if (isClosed()) throw new Error('The log is not followed any more');
        await change();
      }
    },

    async close(): Promise<void> {
      closing.abort();
      wake();
      await ended;
    },
  };
}

function waitAfter(error: unknown, failures: number): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  return Math.min(asked ?? FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10), MAX_WAIT_MS);
}
