import { createHash } from 'node:crypto';
import type { BlobName, Bytes } from '../../src/platform/blobs/blob-store.ts';

/** Returns incompressible bytes that differ between seeds, and are the same for the same seed. */
export function bytesOf(size: number, seed = 'a'): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at * 32 < size; at++) blocks.push(createHash('sha256').update(`${seed} ${at}`).digest());
  return Buffer.concat(blocks).subarray(0, size);
}

export const nameOf = (bytes: Uint8Array): BlobName => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
});

/** Streams bytes in pieces. */
export async function* streamOf(bytes: Uint8Array, pieceSize = 1000): Bytes {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
}

export async function contentOf(stream: Bytes): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}
