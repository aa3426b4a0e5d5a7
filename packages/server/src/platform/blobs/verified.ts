import { createHash } from 'node:crypto';
import { BlobError, type BlobName, type Bytes } from './blob-store.ts';

/**
 * Passes the bytes of a blob on while counting and hashing them. The last chunk is withheld until size and hash are
 * verified, so that a receiver never gets a complete wrong blob. Throws a `BlobError` if they do not match.
 */
export async function* verified({ sha256, size }: BlobName, bytes: Bytes): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256');
  let count = 0;
  let lastPiece: Uint8Array | undefined;
  for await (const piece of bytes) {
    if (piece.length === 0) continue;
    count += piece.length;
    if (count > size) throw wrongSize(size, `more than ${size}`);
    hash.update(piece);
    if (lastPiece) yield lastPiece;
    lastPiece = piece;
  }
  if (count !== size) throw wrongSize(size, String(count));
  if (hash.digest('hex') !== sha256)
    throw new BlobError('mismatch', 'The bytes that came have another SHA-256 than the file that was announced');
  if (lastPiece) yield lastPiece;
}

/** Passes bytes on while counting them. Throws a `BlobError` if their number differs from `size`. */
export async function* counted(size: number, bytes: Bytes): AsyncGenerator<Uint8Array, void> {
  let count = 0;
  for await (const piece of bytes) {
    count += piece.length;
    if (count > size) throw wrongSize(size, `more than ${size}`);
    yield piece;
  }
  if (count !== size) throw wrongSize(size, String(count));
}

const wrongSize = (size: number, actual: string) =>
  new BlobError('mismatch', `${size} bytes were announced, but ${actual} arrived`);

/** Reads all bytes. Throws a `BlobError` if they do not match the blob. */
export async function verify(blob: BlobName, bytes: Bytes): Promise<void> {
  const pieces = verified(blob, bytes);
  while (!(await pieces.next()).done);
}

/** Counts and hashes bytes that get their name at the end. */
export function createNaming(maxBytes: number) {
  const hash = createHash('sha256');
  let size = 0;
  return {
    /** Passes bytes on. Throws a `BlobError` for more than `maxBytes`. */
    async *pass(bytes: Bytes): AsyncGenerator<Uint8Array, void> {
      for await (const piece of bytes) {
        size += piece.length;
        if (size > maxBytes) throw wrongSize(maxBytes, `more than ${maxBytes}`);
        hash.update(piece);
        yield piece;
      }
    },
    /** Returns the name of the bytes; to be called once, after the last one. */
    name: (): BlobName => ({ sha256: hash.digest('hex'), size }),
  };
}
