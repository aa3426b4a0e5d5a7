import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { bytesOf, streamOf } from '../../../test/blobs/bytes.ts';
import { encodeLz4Frame, groupBytes } from '../../../test/lz4-encoder.ts';
import { chunksOf } from '../../../test/xet-chunker.ts';
import { encodeChunk, xorbOf } from '../../../test/xet-client.ts';
import { ungroupBytes } from './byte-groups.ts';
import { MAX_CHUNKS } from './chunk-header.ts';
import { type ChunkRun, chunkRuns, RUN_BYTES } from './chunk-runs.ts';
import { createChunkThreads } from './chunk-threads.ts';
import { decodeLz4Frame } from './lz4-frame.ts';
import { createIndexWriter, indexBytes, readXorbIndex } from './xorb-index.ts';

const threads = createChunkThreads();
afterAll(() => threads.close());

async function runsOf(bytes: Uint8Array, pieceSize = 10_000): Promise<ChunkRun[]> {
  const runs: ChunkRun[] = [];
  for await (const run of chunkRuns(streamOf(bytes, pieceSize))) runs.push(run);
  return runs;
}

const text = Buffer.from('the same words, the same words, and now others. '.repeat(8_000));

test('an LZ4 frame has the bytes that it was made of', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 3_000 }),
    fc
      .array(fc.constantFrom('ab', 'abc', 'aaaaaaaaaaaaaaaaaaaa', 'x'), { minLength: 1 })
      .map((all) => Buffer.from(all.join(''))),
  );
  fc.assert(
    fc.property(bytes, (content) => {
      const target = new Uint8Array(content.length);
      expect(decodeLz4Frame(encodeLz4Frame(content), target)).toBeUndefined();
      expect(Buffer.from(target)).toEqual(Buffer.from(content));
    }),
  );
});

test('an LZ4 frame of another length, or cut off, is refused', () => {
  const frame = encodeLz4Frame(text.subarray(0, 100_000));
  for (const length of [0, 1, 99_999, 100_001]) expect(decodeLz4Frame(frame, new Uint8Array(length))).toMatch(/LZ4/);
  for (let end = 0; end < frame.length; end += 97)
    expect(decodeLz4Frame(frame.subarray(0, end), new Uint8Array(100_000))).toMatch(/LZ4/);
});

test('grouped bytes are put back in their order', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      const target = new Uint8Array(bytes.length);
      ungroupBytes(groupBytes(bytes), target);
      expect(target).toEqual(Uint8Array.from(bytes));
    }),
  );
});

test.each([0, 1, 2])('chunks of scheme %i have the hashes and the bytes that the client gave them', async (scheme) => {
  const content = Buffer.concat([text, bytesOf(2_500_000)]);
  const { bytes, chunks } = xorbOf(chunksOf(content), scheme);
  const runs = await runsOf(bytes);
  expect(runs.length).toBeGreaterThan(2);
  for (const { headers } of runs)
    expect(headers.reduce((sum, { rawBytes }) => sum + rawBytes, 0)).toBeLessThanOrEqual(RUN_BYTES);
  const hashed = await Promise.all(runs.map((run) => threads.hashes('ada', run)));
  expect(Buffer.concat(hashed.map(({ hashes }) => hashes))).toEqual(Buffer.concat(chunks.map(({ hash }) => hash)));
  const decoded = await Promise.all(hashed.map(({ run }) => threads.raw('bob', run)));
  expect(Buffer.concat(decoded.map(({ raw }) => raw)).equals(content)).toBe(true);
});

test('the index says where chunks are', async () => {
  const { bytes, chunks } = xorbOf(chunksOf(Buffer.concat([text, bytesOf(300_000)])), 1);
  const writer = createIndexWriter();
  for (const run of await runsOf(bytes)) writer.add(run.headers, (await threads.hashes('ada', run)).hashes);
  const written = writer.bytes();
  expect([writer.chunks(), written.length]).toEqual([chunks.length, indexBytes(chunks.length)]);
  const index = readXorbIndex(written);
  const sizes = chunks.map((chunk) => encodeChunk(chunk, 1).length);
  const before = (end: number) => sizes.slice(0, end).reduce((sum, size) => sum + size, 0);
  for (const [start, end] of [
    [0, 1],
    [0, chunks.length],
    [2, 4],
  ] as const) {
    expect(index.storedRange(start, end)).toEqual({ first: before(start), last: before(end) - 1 });
    const some = chunks.slice(start, end);
    expect(index.rawBytes(start, end)).toBe(some.reduce((sum, { length }) => sum + length, 0));
    expect(index.hashes(start, end)).toEqual(Buffer.concat(some.map(({ hash }) => hash)));
  }
});

test('the footer of older clients is skipped, wherever pieces end', async () => {
  const { bytes } = xorbOf(chunksOf(bytesOf(200_000)));
  const withFooter = Buffer.concat([bytes, Buffer.from('XETBLOB\x01'), bytesOf(2_000, 'footer')]);
  for (const pieceSize of [1_000, bytes.length + 3, withFooter.length])
    expect(Buffer.concat((await runsOf(withFooter, pieceSize)).map((run) => run.bytes)).equals(bytes)).toBe(true);
  const endless = Buffer.concat([withFooter, Buffer.alloc(500_000)]);
  await expect(runsOf(endless)).rejects.toThrow('The footer of the xorb is too long');
});

test('a xorb may have 64 MiB and the headers of its chunks', async () => {
  const large = encodeChunk({ bytes: bytesOf(128 * 1024) });
  const full = Buffer.concat(Array.from({ length: 512 }, () => large));
  const sizeOf = async (bytes: Uint8Array) =>
    (await runsOf(bytes, 1024 * 1024)).reduce((sum, run) => sum + run.bytes.length, 0);
  expect(await sizeOf(full)).toBe(64 * 1024 * 1024 + 512 * 8);
  await expect(sizeOf(Buffer.concat([full, large]))).rejects.toThrow('A xorb can have at most 67174400 bytes');
});

const chunk = { bytes: bytesOf(100) };
const changed = (at: number, value: number): Buffer => {
  const bytes = encodeChunk(chunk);
  bytes[at] = value;
  return bytes;
};
test.each([
  ['no chunks', Buffer.alloc(0), 'The xorb has no chunks'],
  ['half a header', encodeChunk(chunk).subarray(0, 5), 'The xorb ends within a chunk'],
  ['half a chunk', encodeChunk(chunk).subarray(0, 50), 'The xorb ends within a chunk'],
  ['an unknown version', changed(0, 1), 'A chunk has the unknown version 1'],
  ['an unknown scheme', changed(4, 3), 'A chunk is compressed by the unknown scheme 3'],
  ['a wrong length', changed(1, 99), 'A chunk of 100 bytes is stored in 99'],
  ['an empty chunk', encodeChunk({ bytes: new Uint8Array() }), 'A chunk has 0 bytes: between 1 and 131072 are allowed'],
  [
    'a large chunk',
    encodeChunk({ bytes: new Uint8Array(131_073) }),
    'A chunk has 131073 bytes: between 1 and 131072 are allowed',
  ],
  [
    'too many chunks',
    Buffer.concat(Array.from({ length: MAX_CHUNKS + 1 }, () => encodeChunk(chunk))),
    'A xorb can have at most 8192 chunks',
  ],
])('a xorb with %s is refused', async (_what, bytes, message) => {
  await expect(runsOf(bytes)).rejects.toThrow(message);
});

test('chunks that cannot be decompressed are refused, and the thread goes on', async () => {
  const good = encodeChunk({ bytes: text.subarray(0, 10_000) }, 1);
  const bad = Buffer.from(good);
  bad.writeUIntLE(10_001, 5, 3);
  const [broken] = await runsOf(bad);
  const [sound] = await runsOf(good);
  if (!broken || !sound) throw new Error('There are no runs');
  await expect(threads.hashes('ada', broken)).rejects.toThrow(
    'A chunk cannot be decompressed: the LZ4 frame is shorter',
  );
  expect(Buffer.from((await threads.raw('ada', sound)).raw)).toEqual(text.subarray(0, 10_000));
});
