import { randomBytes } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ByteRange } from '../../platform/blobs/blob-store.ts';
import { createCheck, type UpstreamContent } from './content-id.ts';

const READ_BYTES = 256 * 1024;
/** The end of what a client gets waits until the whole file is verified, so that nobody gets a complete wrong file. */
const WITHHELD_BYTES = 64 * 1024;

const PREFIX = 'moonbase-arrival-';
/** A file has its name for a moment; other processes may just have made theirs. */
const LEFT_AFTER_MS = 60_000;

/** Deletes files that a killed process could not rid of their names. Returns their number. */
export async function deleteLeftArrivals(folder: string, now = Date.now()): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let deleted = 0;
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const path = join(folder, name);
    const made = await stat(path).catch(() => undefined);
    if (!made || now - made.mtimeMs < LEFT_AFTER_MS) continue;
    await rm(path, { force: true });
    deleted += 1;
  }
  return deleted;
}

interface Place {
  readonly folder: string;
  /** How long a file goes on arriving while no client reads it. */
  readonly lingerMs: number;
  /** Called once that time is over. */
  readonly onAbandoned: () => void;
  /** Called when the space on the disk is free again. */
  readonly onClosed: () => void;
}

export type Arrival = Awaited<ReturnType<typeof createArrival>>;

/**
 * Creates a place for a large file that is on its way: many read it while it arrives, at their own pace. The bytes are in
 * a file without a name, which vanishes with its last reader, also if the process is killed.
 */
export async function createArrival(content: UpstreamContent, { folder, lingerMs, onAbandoned, onClosed }: Place) {
  const path = join(folder, `${PREFIX}${randomBytes(8).toString('hex')}`);
  const handle = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  let received = 0;
  let state: 'arriving' | 'sound' | { readonly fault: unknown } = 'arriving';
  let isBrought = true;
  let clients = 0;
  let waiting: (() => void)[] = [];
  let abandoning = setTimeout(onAbandoned, lingerMs);

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const each of woken) each();
  }

  const change = () => new Promise<void>((resolve) => waiting.push(resolve));

  async function closeIfUnused(): Promise<void> {
    if (isBrought || clients > 0) return;
    await handle.close();
    onClosed();
  }

  function onClientGone(): void {
    clients -= 1;
    if (clients === 0 && state === 'arriving') abandoning = setTimeout(onAbandoned, lingerMs);
    void closeIfUnused();
  }

  async function write(piece: Uint8Array): Promise<void> {
    for (let written = 0; written < piece.length; ) {
      const { bytesWritten } = await handle.write(piece, written, piece.length - written, received + written);
      written += bytesWritten;
    }
    received += piece.length;
    wake();
  }

  /** Yields the bytes of a range as they arrive. Throws if the file turns out not to be the announced one. */
  async function* read({ first, last }: ByteRange, withheld: number): AsyncGenerator<Buffer, void> {
    for (let at = first; at <= last || state === 'arriving'; ) {
      if (typeof state === 'object') throw state.fault;
      const end = state === 'sound' ? last + 1 : Math.min(received, last + 1 - withheld);
      if (end <= at) {
        await change();
        continue;
      }
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(READ_BYTES, end - at)), 0, null, at);
      if (bytesRead === 0) throw new Error('A file that arrives is shorter than what was written');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    if (typeof state === 'object') throw state.fault;
  }

  return {
    /** Takes the bytes as they come, and verifies them; readers get what is there. Throws what they get, too. */
    async receive(bytes: AsyncIterable<Uint8Array>): Promise<void> {
      const check = createCheck(content);
      try {
        for await (const piece of bytes) {
          check.add(piece);
          await write(piece);
        }
        check.finish();
        state = 'sound';
      } catch (fault) {
        state = { fault };
        throw fault;
      } finally {
        clearTimeout(abandoning);
        wake();
      }
    },

    /** Returns a range for a client; `refusalOf` returns the client's error for a fault. */
    readForClient(range: ByteRange, refusalOf: (fault: unknown) => unknown): Readable {
      clients += 1;
      clearTimeout(abandoning);
      const stream = Readable.from(refusing(read(range, WITHHELD_BYTES), refusalOf), { objectMode: false });
      return stream.once('close', onClientGone);
    },

    /** Yields everything for the storage, which keeps nothing if this throws. */
    readAll: () => read({ first: 0, last: content.size - 1 }, 0),

    /** To be called once nothing brings or stores the bytes any more; clients may go on. */
    async leave(): Promise<void> {
      isBrought = false;
      await closeIfUnused();
    },
  };
}

async function* refusing<T>(pieces: AsyncIterable<T>, refusalOf: (fault: unknown) => unknown): AsyncGenerator<T, void> {
  try {
    yield* pieces;
  } catch (fault) {
    throw refusalOf(fault);
  }
}
