import { expect, test } from 'vitest';
import { bytesOf, streamOf } from '../../../test/blobs/bytes.ts';
import { encodeLz4Frame } from '../../../test/lz4-encoder.ts';
import { chunksOf } from '../../../test/xet-chunker.ts';
import { fileOf, shardOf, wholeXorb, xorbOf } from '../../../test/xet-client.ts';
import { ungroupBytes } from './byte-groups.ts';
import { chunkRuns } from './chunk-runs.ts';
import { decodeLz4Frame } from './lz4-frame.ts';
import { createRunDecoder } from './run-decoder.ts';
import { readShard } from './shard.ts';
import { XetFault } from './xet-fault.ts';

/** The number of changed inputs for each format; `MOONBASE_FUZZ_XET_RUNS=100000` for a long run. */
const RUNS = Number(process.env.MOONBASE_FUZZ_XET_RUNS ?? 2000);
/** Reading changed inputs may not keep more than this, once the heap has its size. */
const MAX_GROWTH_BYTES = 50 * 1024 * 1024;

/** Returns numbers below a bound, the same ones in each run (mulberry32). */
function createRandom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Changes some bytes, removes some, or repeats some. */
function mutated(bytes: Uint8Array, random: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = random(copy.length);
  switch (random(4)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(random(copy.length))]);
    default:
      for (let count = 1 + random(8); count > 0; count--) copy[random(copy.length)] = random(256);
      return copy;
  }
}

const content = Buffer.concat([Buffer.from('words and more words '.repeat(500)), bytesOf(9_000), Buffer.alloc(9_000)]);
const xorb = xorbOf(chunksOf(content), 1);
const grouped = xorbOf(chunksOf(content), 2);
const shard = shardOf([fileOf(wholeXorb(xorb), wholeXorb(grouped))], [xorb]);
const decode = createRunDecoder(decodeLz4Frame, ungroupBytes);

async function decodeAll(bytes: Uint8Array): Promise<void> {
  for await (const run of chunkRuns(streamOf(bytes))) {
    const numbers = run.headers.flatMap(({ storedBytes, scheme, rawBytes }) => [storedBytes, scheme, rawBytes]);
    const raw = decode(run.bytes, Int32Array.from(numbers));
    if (typeof raw === 'string') throw new XetFault(raw);
  }
}

async function fuzz(seed: number, original: Uint8Array, read: (bytes: Buffer) => unknown): Promise<number> {
  const random = createRandom(seed);
  let before = 0;
  let refused = 0;
  for (let run = 0; run < RUNS; run++) {
    if (run === Math.floor(RUNS / 4)) before = process.memoryUsage.rss();
    try {
      await read(mutated(original, random));
    } catch (error) {
      if (!(error instanceof XetFault)) throw error;
      refused += 1;
    }
  }
  if (RUNS >= 10_000) expect(process.memoryUsage.rss() - before).toBeLessThan(MAX_GROWTH_BYTES);
  return refused;
}

test(`${RUNS} changed xorbs of each kind are read or refused`, async () => {
  expect(await fuzz(1, xorb.bytes, decodeAll)).toBeGreaterThan(0);
  expect(await fuzz(2, grouped.bytes, decodeAll)).toBeGreaterThan(0);
});

test(`${RUNS} changed shards are read or refused`, async () => {
  const read = async (bytes: Buffer) => {
    for (const file of (await readShard(bytes)).files) for (let at = 0; at < file.termCount; at++) file.term(at);
  };
  expect(await fuzz(3, shard, read)).toBeGreaterThan(0);
});

test(`${RUNS} changed LZ4 frames write nothing beside their target`, async () => {
  const frame = encodeLz4Frame(content);
  const around = new Uint8Array(content.length + 64).fill(7);
  const target = around.subarray(32, 32 + content.length);
  let broken = 0;
  await fuzz(4, frame, (bytes) => {
    if (decodeLz4Frame(bytes, target) !== undefined) broken += 1;
  });
  expect(broken).toBeGreaterThan(0);
  expect([...around.subarray(0, 32), ...around.subarray(-32)].every((byte) => byte === 7)).toBe(true);
});
