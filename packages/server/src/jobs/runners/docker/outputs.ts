import type { Output } from '../runner.ts';
import type { Containers } from './containers.ts';
import { createLogReader, type LogReader } from './log-reader.ts';

interface Dependencies {
  readonly containers: Containers;
  /** Called when the output of a container has ended. */
  readonly onChange: () => void;
}

/** How long after its opening a broken log is opened again. */
const REOPEN_MS = 1_000;

interface Open {
  readonly reader: LogReader;
  /** Whether the reader was opened after the end of the container, and therefore reads the whole output. */
  readonly complete: boolean;
  readonly openedAt: number;
}

/**
 * The output of containers in whole lines. A position is a number of bytes from the beginning, so that a restarted hub
 * continues where another one stopped.
 */
export function createOutputs({ containers, onChange }: Dependencies) {
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
      complete,
      open: (signal) => containers.logs(key, !complete, signal),
      onEnd: complete ? () => {} : onChange,
    });
    const opened = { reader, complete, openedAt: Date.now() };
    open.set(key, opened);
    return opened;
  }

  function readerOf(key: string, position: number): LogReader {
    const current = open.get(key);
    if (!current || position < current.reader.from()) return begin(key, position).reader;
    if (ended.has(key) && !current.complete) return begin(key, position).reader;
    const lost = current.reader.ended() && !current.complete;
    return lost && Date.now() - current.openedAt >= REOPEN_MS ? begin(key, position).reader : current.reader;
  }

  return {
    async read(key: string, position: number, maxBytes: number): Promise<Output> {
      const bytes = await readerOf(key, position).read(position, maxBytes, ended.has(key));
      return { bytes, position: String(position + bytes.length) };
    },

    /** Returns whether the engine has reported the end of the output. */
    hasEnded: (key: string): boolean => open.get(key)?.reader.ended() ?? false,

    /** Reads the rest of the output to its last byte, after the end of the container. */
    readToEnd(key: string): void {
      ended.add(key);
    },

    close,

    /** Closes the outputs of all attempts except these. */
    closeAllBut(keys: ReadonlySet<string>): void {
      for (const key of [...open.keys(), ...ended]) if (!keys.has(key)) close(key);
    },
  };
}
