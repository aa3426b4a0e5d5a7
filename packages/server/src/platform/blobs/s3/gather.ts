import type { Bytes, LentBytes } from '../blob-store.ts';

/** Consecutive bytes of a stream, in memory. */
interface Gathered {
  readonly size: number;
  /** Returns the bytes, as often as they are needed. */
  readonly again: () => Bytes;
}

async function* each(pieces: readonly Uint8Array[]): Bytes {
  yield* pieces;
}

/** Returns bytes whose pieces last; copies lent ones. */
export const lasting = (bytes: Bytes | LentBytes): Bytes => ('lent' in bytes ? copied(bytes.lent) : bytes);

async function* copied(bytes: Bytes): Bytes {
  for await (const piece of bytes) yield new Uint8Array(piece);
}

/** Yields the bytes of a stream in parts of at least `minBytes`, except for the last one, which is never empty. */
export async function* gather(bytes: Bytes, minBytes: number): AsyncGenerator<Gathered, void> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const take = (): Gathered => {
    const taken = pieces;
    const part = { size, again: () => each(taken) };
    [pieces, size] = [[], 0];
    return part;
  };
  for await (const piece of bytes) {
    pieces.push(piece);
    size += piece.length;
    if (size >= minBytes) yield take();
  }
  if (size > 0) yield take();
}
