import { createHash } from 'node:crypto';
import { BlobError, type BlobName, type Bytes } from './blob-store.ts';

/** Looks at the pieces of bytes, in order. */
export type Look = (piece: Uint8Array) => void;

/** Counts and hashes the bytes of a blob. */
export function createComparison({ sha256, size }: BlobName) {
  const hash = createHash('sha256');
  let count = 0;
  return {
    /** Throws a `BlobError` for more bytes than the blob has. */
    look: (piece: Uint8Array): void => {
      count += piece.length;
      if (count > size) throw wrongSize(size, `more than ${size}`);
      hash.update(piece);
    },
    /** Throws a `BlobError` if the bytes do not match the blob. */
    end(): void {
      if (count !== size) throw wrongSize(size, String(count));
      if (hash.digest('hex') !== sha256)
        throw new BlobError('mismatch', 'The bytes that came have another SHA-256 than the file that was announced');
    },
  };
}

/**
 * Passes the bytes of a blob on. The last piece is withheld until size and hash are verified, so that a receiver never
 * gets a complete wrong blob. Throws a `BlobError` if they do not match.
 */
export async function* verified(blob: BlobName, bytes: Bytes): AsyncGenerator<Uint8Array, void> {
  const comparison = createComparison(blob);
  let lastPiece: Uint8Array | undefined;
  for await (const piece of bytes) {
    if (piece.length === 0) continue;
    comparison.look(piece);
    if (lastPiece) yield lastPiece;
    lastPiece = piece;
  }
  comparison.end();
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
  const comparison = createComparison(blob);
  for await (const piece of bytes) comparison.look(piece);
  comparison.end();
}

/** Counts and hashes bytes that get their name at the end. */
export function createNaming(maxBytes: number) {
  const hash = createHash('sha256');
  let size = 0;
  return {
    /** Throws a `BlobError` for more than `maxBytes`. */
    look: (piece: Uint8Array): void => {
      size += piece.length;
      if (size > maxBytes) throw wrongSize(maxBytes, `more than ${maxBytes}`);
      hash.update(piece);
    },
    /** Returns the name of the bytes; to be called once, after the last one. */
    name: (): BlobName => ({ sha256: hash.digest('hex'), size }),
  };
}

/** Passes bytes on while looking at them. */
export async function* looking(look: Look, bytes: Bytes): Bytes {
  for await (const piece of bytes) {
    look(piece);
    yield piece;
  }
}
