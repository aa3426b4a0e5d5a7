import type { Readable } from 'node:stream';
import { outputOf } from './log-frames.ts';

/** How much is read ahead: more than one read asks for. */
const AHEAD_BYTES = 1024 * 1024;
/** How long a reader stays open without a read: its hub may follow the log no more. */
const IDLE_MS = 30_000;

/** Reads the output of one container from a position on, no faster than its caller. */
export interface LogReader {
  /** The first position whose bytes it still has. */
  readonly from: () => number;
  /** Whether the output has ended, or the reader is closed. */
  readonly ended: () => boolean;
  /** Returns the bytes after a position that are there; with `whole`, waits for `maxBytes` or the end. */
  read(position: number, maxBytes: number, whole: boolean): Promise<Buffer>;
  close(): void;
}

interface Dependencies {
  /** Opens the output from its beginning. */
  readonly open: (signal: AbortSignal) => Promise<Readable>;
  readonly from: number;
  /** Whether the container has ended, so that a last line without an end is output as well. */
  readonly complete: boolean;
  /** Called when the output has ended. */
  readonly onEnd: () => void;
}

export function createLogReader({ open, from, complete, onEnd }: Dependencies): LogReader {
  let start = from;
  let held: Buffer[] = [];
  let bytes = 0;
  let skip = from;
  const closing = new AbortController();
  let failure: unknown;
  let done = false;
  let wake = () => {};
  let changes = new Promise<void>((resolve) => {
    wake = resolve;
  });
  /** Wakes those who wait for bytes or for room. */
  const change = () => {
    wake();
    changes = new Promise<void>((resolve) => {
      wake = resolve;
    });
  };

  async function pump(): Promise<void> {
    for await (const output of outputOf(await open(closing.signal), complete)) {
      const news = output.subarray(Math.min(skip, output.length));
      skip -= output.length - news.length;
      if (news.length === 0) continue;
      held.push(news);
      bytes += news.length;
      change();
      while (bytes >= AHEAD_BYTES && !closing.signal.aborted) await changes;
      if (closing.signal.aborted) return;
    }
  }

  function close(): void {
    clearTimeout(idle);
    closing.abort();
    change();
  }

  const idle = setTimeout(close, IDLE_MS).unref();
  void pump()
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      done = true;
      change();
      if (!closing.signal.aborted) onEnd();
    });

  return {
    from: () => start,
    ended: () => done || closing.signal.aborted,
    async read(position, maxBytes, whole) {
      idle.refresh();
      held = [Buffer.concat(held).subarray(Math.min(position - start, bytes))];
      bytes = held[0]?.length ?? 0;
      start = position;
      change();
      while (whole && bytes < maxBytes && !done) await changes;
      if (whole && failure !== undefined) throw failure;
      return Buffer.concat(held).subarray(0, maxBytes);
    },
    close,
  };
}
