import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { readExactly } from './read-exactly.ts';

const HASH_BYTES = 20;

/** Returns the SHA-1 with which a pack or an index ends; undefined if it is not that of the bytes before it. */
export async function checksumOf(path: string): Promise<string | undefined> {
  await using handle = await open(path, 'r');
  const { size } = await handle.stat();
  if (size <= HASH_BYTES) return undefined;
  const hash = createHash('sha1');
  for await (const chunk of createReadStream(path, { end: size - HASH_BYTES - 1 })) hash.update(chunk);
  const stated = (await readExactly(handle, size - HASH_BYTES, HASH_BYTES)).toString('hex');
  return hash.digest('hex') === stated ? stated : undefined;
}

/** Returns whether a file is the pack with a name, whole and undamaged. */
export const isSoundPack = async (path: string, name: string): Promise<boolean> =>
  `pack-${await checksumOf(path)}` === name;

/** Returns whether a file is the index of the pack with a name, whole and undamaged. */
export async function isSoundIndex(path: string, name: string): Promise<boolean> {
  if ((await checksumOf(path)) === undefined) return false;
  await using handle = await open(path, 'r');
  const { size } = await handle.stat();
  const packHash = await readExactly(handle, Math.max(0, size - 2 * HASH_BYTES), HASH_BYTES);
  return `pack-${packHash.toString('hex')}` === name;
}
