import { createPause } from '../platform/cooperative.ts';
import { HASH_BYTES, textOfHash } from '../platform/xet/hash-text.ts';
import { createHashTree } from '../platform/xet/hash-tree.ts';
import { hashFile, hashTerm } from '../platform/xet/keyed-hashes.ts';
import type { ShardFile } from '../platform/xet/shard.ts';
import { XetFault } from '../platform/xet/xet-fault.ts';
import type { XorbIndex } from '../platform/xet/xorb-index.ts';

/** Returns the error for chunks that are not there and for chunks that the client does not know, so that nobody learns which. */
export const unknownChunks = (hash: string) =>
  new XetFault(
    `The shard refers to chunks of the xorb ${hash} that were not uploaded here, or with a wrong verification hash; ` +
      'delete the local cache of Xet and upload again',
  );

/**
 * Checks what a shard says of a file against the stored chunks: the terms, the proof that the client knows their chunks,
 * and the hash of the file; returns the size of the file. Throws a `XetFault`.
 */
export async function checkFile(
  file: ShardFile,
  indexOf: (xorb: string) => Promise<XorbIndex | undefined>,
): Promise<number> {
  if (file.termCount === 0) throw new XetFault('A file of the shard has no terms');
  const tree = createHashTree();
  const pause = createPause();
  let size = 0;
  for (let at = 0; at < file.termCount; at++) {
    const { xorb, rawBytes, start, end, verification } = file.term(at);
    const index = await indexOf(xorb);
    if (!index || start >= end || end > index.chunks) throw unknownChunks(xorb);
    const hashes = index.hashes(start, end);
    if (!verification.equals(hashTerm(hashes))) throw unknownChunks(xorb);
    if (index.rawBytes(start, end) !== rawBytes) throw new XetFault(`A term of the file ${file.hash} has another size`);
    size += rawBytes;
    for (let chunk = start; chunk < end; chunk++) {
      const from = (chunk - start) * HASH_BYTES;
      tree.add(hashes.subarray(from, from + HASH_BYTES), index.rawBytes(chunk, chunk + 1));
      const waiting = pause();
      if (waiting) await waiting;
    }
  }
  const root = tree.root();
  if (root === undefined || textOfHash(hashFile(root)) !== file.hash)
    throw new XetFault(`The chunks of the file ${file.hash} have another hash`);
  return size;
}
