import { type ApiClient, ApiError, isStatus, type Query } from './api-client.ts';
import { CONTAINER } from './attempt-state.ts';
import { createLogBuffer } from './log-buffer.ts';
import { parsePosition, sinceTime } from './log-cursor.ts';

interface Dependencies {
  readonly api: ApiClient;
  /** The path of the log of a pod. */
  readonly path: string;
  /** The position at which to begin. */
  readonly position: string;
  /** Returns whether nothing more will be written to the log. */
  readonly isOver: () => boolean;
}

export type LogFollower = ReturnType<typeof followLog>;

/**
 * The unread bytes at which reading from the connection pauses, which slows the cluster down; a single read requests
 * less.
 */
const HIGH_WATER_BYTES = 1024 * 1024;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/**
 * The number of successive failures after which the log of an ended pod counts as lost, for example with its machine.
 */
const MAX_FAILURES_AT_END = 8;
const LOST = '===== The cluster does not give the rest of the log =====';

/**
 * Follows the log of a pod, slightly ahead of its reader. After a connection breaks, the next one continues from there.
 */
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
  /** Resolves at the next change: more output, or more room for output. */
  const nextChange = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  const isClosed = (): boolean => closing.signal.aborted || api.signal.aborted;

  /** Reads the log from one connection until it ends. */
  async function receive(follow: boolean): Promise<void> {
    const since = sinceTime(buffer.received());
    const query: Query = { container: CONTAINER, timestamps: true, follow, ...(since && { sinceTime: since }) };
    const body: AsyncIterable<Buffer> = await api.stream(path, query, closing.signal);
    buffer.reconnected();
    for await (const chunk of body) {
      buffer.add(chunk);
      wake();
      while (buffer.size() >= HIGH_WATER_BYTES && !isClosed()) await nextChange();
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !isClosed(); ) {
      const over = isOver();
      const before = buffer.received();
      try {
        await receive(!over);
        // Only a log that was requested after the end of the pod is known to be complete.
        if (over) complete = true;
        failures = 0;
      } catch (error) {
        failures = buffer.received() === before ? failures + 1 : 1;
        const hasNoLog = isStatus(error, 400, 404);
        if (over && (hasNoLog || failures >= MAX_FAILURES_AT_END)) {
          if (!hasNoLog) buffer.addNote(LOST);
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
    /**
     * Returns at most `maxBytes` after a position: the available bytes or, once the pod has ended, all up to the end.
     * Undefined if the buffer lacks that position; the caller then opens another follower.
     */
    async read(from: string, maxBytes: number): Promise<{ bytes: Buffer; position: string } | undefined> {
      for (;;) {
        const output = buffer.read(from, maxBytes);
        wake();
        if (!output || output.bytes.length >= maxBytes || complete || !isOver()) return output;
        if (isClosed()) throw new Error('The log is not followed any more');
        await nextChange();
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
  const requestedMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  return Math.min(requestedMs ?? FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10), MAX_WAIT_MS);
}
