import { type FileHandle, open } from 'node:fs/promises';
import { IDS_OFFSET, readFanout } from './pack-index.ts';
import { readExactly } from './read-exactly.ts';

export const ID_BYTES = 20;

/** Reads the ids of an index, in order, 20 bytes each. */
export async function idsOf(index: FileHandle): Promise<Buffer> {
  const count = (await readFanout(index)).at(-1) ?? 0;
  return readExactly(index, IDS_OFFSET, count * ID_BYTES);
}

/** Returns whether each of the ids is among the others; both are in order. */
function isContained(ids: Buffer, others: Buffer): boolean {
  let other = 0;
  for (let at = 0; at < ids.length; at += ID_BYTES) {
    while (other < others.length && others.compare(ids, at, at + ID_BYTES, other, other + ID_BYTES) < 0)
      other += ID_BYTES;
    if (other >= others.length || others.compare(ids, at, at + ID_BYTES, other, other + ID_BYTES) !== 0) return false;
  }
  return true;
}

/** Returns whether the pack with an index has every object of the packs with the other indexes. */
export async function hasObjectsOf(indexPath: string, otherPaths: readonly string[]): Promise<boolean> {
  await using index = await open(indexPath, 'r');
  const ids = await idsOf(index);
  for (const path of otherPaths) {
    await using other = await open(path, 'r');
    if (!isContained(await idsOf(other), ids)) return false;
  }
  return true;
}
