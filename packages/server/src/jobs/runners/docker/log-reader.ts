import type { Readable } from 'node:stream';
import { outputOf } from './log-frames.ts';

/** How much is read ahead: more than is asked for at once. */
const AHEAD_BYTES = 1024 * 1024;
/** Whoever has not asked for so long has died, or follows no more. */
const IDLE_MS = 30_000;

/** The output of one container from a position on, read no faster than it is asked for. */
export interface LogReader {
  /** The first position that it still has. */
  readonly from: () => number;
  /** Whether nothing more comes. */
  readonly ended: () => boolean;
  /** What there is from a position on. `whole`: as much as was asked for, or all up to the end. */
  read(position: number, most: number, whole: boolean): Promise<Buffer>;
  close(): void;
}

interface Dependencies {
  /** Opens the output from its beginning. */
  readonly open: (signal: AbortSignal) => Promise<Readable>;
  readonly from: number;
  /** Told when nothing more comes. */
  readonly over: () => void;
}

export function createLogReader({ open, from, over }: Dependencies): LogReader {
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
  /** Wakes whoever waits for bytes or for room. */
  const change = () => {
    wake();
    changes = new Promise<void>((resolve) => {
      wake = resolve;
    });
  };

  async function pump(): Promise<void> {
    for await (const output of outputOf(await open(closing.signal))) {
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
      if (!closing.signal.aborted) over();
    });

  return {
    from: () => start,
    ended: () => done || closing.signal.aborted,
    async read(position, most, whole) {
      idle.refresh();
      held = [Buffer.concat(held).subarray(Math.min(position - start, bytes))];
      bytes = held[0]?.length ?? 0;
      start = position;
      change();
      while (whole && bytes < most && !done) await changes;
      if (whole && failure !== undefined) throw failure;
      return Buffer.concat(held).subarray(0, most);
    },
    close,
  };
}
