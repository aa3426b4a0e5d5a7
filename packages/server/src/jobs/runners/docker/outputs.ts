import type { Output } from '../runner.ts';
import type { Containers } from './containers.ts';
import { createLogReader, type LogReader } from './log-reader.ts';

interface Dependencies {
  readonly containers: Containers;
  readonly changed: () => void;
}

/** A log that could not be followed is asked for again after so long. */
const AGAIN_MS = 1_000;

interface Open {
  readonly reader: LogReader;
  /** Whether it began when the container had ended. */
  readonly complete: boolean;
  readonly openedAt: number;
}

/**
 * The output of containers, by what the engine keeps of it. A position is how many bytes were written before: what a
 * hub reads that has started again continues where another one stopped.
 */
export function createOutputs({ containers, changed }: Dependencies) {
  const open = new Map<string, Open>();
  const ended = new Set<string>();

  function close(key: string): void {
    open.get(key)?.reader.close();
    open.delete(key);
    ended.delete(key);
  }

  function begin(key: string, from: number): Open {
    const complete = ended.has(key);
    open.get(key)?.reader.close();
    const reader = createLogReader({
      from,
      open: (signal) => containers.logs(key, !complete, signal),
      over: complete ? () => {} : changed,
    });
    const begun = { reader, complete, openedAt: Date.now() };
    open.set(key, begun);
    return begun;
  }

  function readerOf(key: string, position: number): LogReader {
    const current = open.get(key);
    if (!current || position < current.reader.from()) return begin(key, position).reader;
    if (ended.has(key) && !current.complete) return begin(key, position).reader;
    const lost = current.reader.ended() && !current.complete;
    return lost && Date.now() - current.openedAt >= AGAIN_MS ? begin(key, position).reader : current.reader;
  }

  return {
    async read(key: string, position: number, most: number): Promise<Output> {
      const bytes = await readerOf(key, position).read(position, most, ended.has(key));
      return { bytes, position: String(position + bytes.length) };
    },

    /** Whether the engine has said that nothing more is written. */
    over: (key: string): boolean => open.get(key)?.reader.ended() ?? false,

    /** The container has ended: from now on its output is read to the last byte. */
    complete(key: string): void {
      ended.add(key);
    },

    close,

    /** Closes all but these. */
    keep(keys: ReadonlySet<string>): void {
      for (const key of [...open.keys(), ...ended]) if (!keys.has(key)) close(key);
    },
  };
}
