import type { CreateHash, Hasher } from './hashing.ts';
import { chunksOf, type FileSource } from './source.ts';

const GIT_ID = /^[0-9a-f]{40}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Returns a hasher for a hub's file id, a git blob id or the SHA-256 of a large file; undefined for other ids. */
export function hasherFor(id: string, size: number, createHash: CreateHash): Hasher | undefined {
  if (SHA256.test(id)) return createHash('sha256');
  if (!GIT_ID.test(id)) return undefined;
  const hasher = createHash('sha1');
  hasher.update(new TextEncoder().encode(`blob ${size}\0`));
  return hasher;
}

export async function sha256Of(source: FileSource, createHash: CreateHash): Promise<string> {
  const hasher = createHash('sha256');
  for await (const chunk of chunksOf(source)) hasher.update(chunk);
  return hasher.hex();
}

/** Returns whether a source has the bytes that a file id of the hub identifies. */
export async function isFile(source: FileSource, id: string, createHash: CreateHash): Promise<boolean> {
  const hasher = hasherFor(id, source.size, createHash);
  if (!hasher) return false;
  for await (const chunk of chunksOf(source)) hasher.update(chunk);
  return hasher.hex() === id;
}
