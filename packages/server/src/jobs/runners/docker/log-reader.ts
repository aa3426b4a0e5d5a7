import type { Readable } from 'node:stream';
import { outputOf } from './log-frames.ts';

/** How much is read ahead: more than one read requests. */
const AHEAD_BYTES = 1024 * 1024;
/** How long a reader stays open without a read, because its hub may no longer follow the log. */
const IDLE_MS = 30_000;

/** Reads the output of one container from a position, no faster than its caller. */
export interface LogReader {
  /** Returns the first position whose bytes are still available. */
  readonly from: () => number;
  /** Returns whether the output has ended or the reader is closed. */
  readonly ended: () => boolean;
  /** Returns the available bytes after a position; with `whole`, waits for `maxBytes` or the end. */
  read(position: number, maxBytes: number, whole: boolean): Promise<Buffer>;
  close(): void;
}

interface Dependencies {
  /** Opens the output from its beginning. */
  readonly open: (signal: AbortSignal) => Promise<Readable>;
  readonly from: number;
  /** Whether the container has ended, so that an unterminated last line is also output. */
  readonly complete: boolean;
  /** Called when the output has ended. */
  readonly onEnd: () => void;
}

export function createLogReader({ open, from, complete, onEnd }: Dependencies): LogReader {
  let start = from;
  let buffered: Buffer[] = [];
  let bytes = 0;
  let skip = from;
  const closing = new AbortController();
  let failure: unknown;
  let done = false;
  let wake = () => {};
  let changes = new Promise<void>((resolve) => {
    wake = resolve;
  });
  /** Wakes everything that waits for bytes or for room. */
  const wakeAll = () => {
    wake();
    changes = new Promise<void>((resolve) => {
      wake = resolve;
    });
  };

  async function pump(): Promise<void> {
    for await (const output of outputOf(await open(closing.signal), complete)) {
      const fresh = output.subarray(Math.min(skip, output.length));
      skip -= output.length - fresh.length;
      if (fresh.length === 0) continue;
      buffered.push(fresh);
      bytes += fresh.length;
      wakeAll();
      while (bytes >= AHEAD_BYTES && !closing.signal.aborted) await changes;
      if (closing.signal.aborted) return;
    }
  }

  function close(): void {
    clearTimeout(idle);
    closing.abort();
    wakeAll();
  }

  const idle = setTimeout(close, IDLE_MS).unref();
  void pump()
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      done = true;
      wakeAll();
      if (!closing.signal.aborted) onEnd();
    });

  return {
    from: () => start,
    ended: () => done || closing.signal.aborted,
    async read(position, maxBytes, whole) {
      idle.refresh();
      buffered = [Buffer.concat(buffered).subarray(Math.min(position - start, bytes))];
      bytes = buffered[0]?.length ?? 0;
      start = position;
      wakeAll();
      while (whole && bytes < maxBytes && !done) await changes;
      if (whole && failure !== undefined) throw failure;
      return Buffer.concat(buffered).subarray(0, maxBytes);
    },
    close,
  };
}
