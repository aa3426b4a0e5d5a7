import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { streamOf } from '../../test/blobs/bytes.ts';
import { SHARD, XORB, XORB_HASH } from '../../test/xet-vectors.ts';
import { type ChunkRun, chunkRuns } from '../platform/xet/chunk-runs.ts';
import { createChunkThreads } from '../platform/xet/chunk-threads.ts';
import { HASH_BYTES, textOfHash } from '../platform/xet/hash-text.ts';
import { createHashTree } from '../platform/xet/hash-tree.ts';
import { readShard } from '../platform/xet/shard.ts';
import { createIndexWriter, readXorbIndex } from '../platform/xet/xorb-index.ts';
import { checkFile } from './file-check.ts';

const threads = createChunkThreads();
afterAll(() => threads.close());

async function readXorb() {
  const runs: ChunkRun[] = [];
  for await (const run of chunkRuns(streamOf(XORB, 100))) runs.push(run);
  const writer = createIndexWriter();
  const pieces: Uint8Array[] = [];
  for (const sent of runs) {
    const { run, hashes } = await threads.hashes('ada', sent);
    writer.add(run.headers, hashes);
    pieces.push((await threads.raw('ada', run)).raw);
  }
  const raw = Buffer.concat(pieces);
  return { index: readXorbIndex(writer.bytes()), raw, headers: runs.flatMap(({ headers }) => headers) };
}

test('a xorb of hf_xet has the hash that its client gave it', async () => {
  const { index, headers } = await readXorb();
  expect(new Set(headers.map(({ scheme }) => scheme))).toEqual(new Set([0, 1, 2]));
  const tree = createHashTree();
  for (let at = 0; at < index.chunks; at++)
    tree.add(index.hashes(at, at + 1).subarray(0, HASH_BYTES), index.rawBytes(at, at + 1));
  expect(textOfHash(tree.root() ?? new Uint8Array())).toBe(XORB_HASH);
});

test('a shard of hf_xet says the truth about its files', async () => {
  const { index, raw } = await readXorb();
  const { files, newXorbs } = await readShard(SHARD);
  expect([files.length, [...newXorbs]]).toEqual([3, [XORB_HASH]]);
  for (const file of files) {
    const size = await checkFile(file, async (hash) => (hash === XORB_HASH ? index : undefined));
    const { start } = file.term(0);
    const from = index.rawBytes(0, start);
    const content = raw.subarray(from, from + size);
    expect(createHash('sha256').update(content).digest('hex')).toBe(file.sha256);
  }
});
