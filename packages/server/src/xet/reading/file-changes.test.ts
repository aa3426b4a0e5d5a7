import { hashToHex, verificationHash } from '@huggingface/xetchunk-wasm';
import { expect, test } from 'vitest';
import { bytesOf } from '../../../test/blobs/bytes.ts';
import { readChunkList } from '../../platform/xet/chunk-list.ts';
import { createPlan } from './file-changes.ts';

const CHUNK_BYTES = 50_000;

/** Returns the hashes of the chunks of a xorb, and the list that the hub has of them. */
function xorbOf(seed: string, chunks: number) {
  const hashes = Array.from({ length: chunks }, (_, at) => bytesOf(32, `${seed} ${at}`));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(CHUNK_BYTES);
  return { hashes, list: readChunkList(Buffer.concat(hashes.flatMap((hash) => [hash, length]))) };
}

const XORBS = ['first', 'second', 'third'].map((seed) => xorbOf(seed, 20));
const byteOf = (xorb: number, chunk: number): number => (xorb * 20 + chunk) * CHUNK_BYTES;

test.each([
  ['the last xorb', [byteOf(2, 1)], [0, 1]],
  ['the first xorb', [byteOf(0, 0)], [1, 2]],
  ['the end of a xorb: the next one is cut again, too', [byteOf(0, 19)], [2]],
  ['two xorbs', [byteOf(0, 3), byteOf(2, 3)], [1]],
  ['all xorbs', [byteOf(0, 3), byteOf(1, 3), byteOf(2, 3)], []],
])('a client that changes %s gets the proofs of those that stay', (_what, bytes, staying) => {
  const plan = createPlan(bytes.map((byte) => ({ first: byte, last: byte })));
  for (const { list } of XORBS) plan.add(list);
  const { gapVerification, totalChunks, windows, hashRanges } = plan.end();
  expect(gapVerification).toEqual(staying.map((xorb) => hashToHex(verificationHash(XORBS[xorb]?.hashes ?? []))));
  expect([totalChunks, windows.length, hashRanges.length]).toEqual([60, bytes.length, bytes.length + 1]);
});
