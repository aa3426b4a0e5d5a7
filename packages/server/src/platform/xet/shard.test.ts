import { expect, test } from 'vitest';
import { bytesOf } from '../../../test/blobs/bytes.ts';
import { chunksOf } from '../../../test/xet-chunker.ts';
import { fileOf, proofOf, shardOf, wholeXorb, xorbOf } from '../../../test/xet-client.ts';
import { readShard } from './shard.ts';

const one = xorbOf(chunksOf(bytesOf(300_000)));
const two = xorbOf(chunksOf(bytesOf(200_000, 'b')));
const terms = [{ xorb: one, start: 1, end: 2 }, wholeXorb(two)] as const;
const files = [fileOf(...terms), fileOf(wholeXorb(one))];
const whole = shardOf(files, [one, two]);

test('a shard says what files consist of, and which xorbs are new', async () => {
  const shard = await readShard(shardOf(files, [two]));
  expect([...shard.newXorbs]).toEqual([two.hash]);
  expect([...shard.xorbs]).toEqual([one.hash, two.hash]);
  expect(shard.files.map(({ hash, sha256, termCount }) => ({ hash, sha256, termCount }))).toEqual(
    files.map((file) => ({ hash: file.hash, sha256: file.sha256, termCount: file.terms.length })),
  );
  const size = (from: number, to: number) => one.chunks.slice(from, to).reduce((sum, { length }) => sum + length, 0);
  expect(shard.files[0]?.term(0)).toEqual({
    ...{ xorb: one.hash, rawBytes: size(1, 2), start: 1, end: 2 },
    verification: Buffer.from(proofOf(terms[0])),
  });
});

test('a shard may leave out the SHA-256 of files, and have files without terms', async () => {
  const empty = { hash: '0'.repeat(64), sha256: 'e'.repeat(64), terms: [] };
  for (const areNamed of [true, false]) {
    const shard = await readShard(shardOf([...files, empty], [one, two], areNamed));
    expect(shard.files.map(({ sha256, termCount }) => ({ sha256, termCount }))).toEqual(
      [...files, empty].map(({ sha256, terms: { length } }) => ({
        ...{ sha256: areNamed ? sha256 : undefined, termCount: length },
      })),
    );
    expect(shard.newXorbs).toEqual(new Set([one.hash, two.hash]));
  }
});

test('what follows the sections, such as the footer of @huggingface/hub, is ignored', async () => {
  expect((await readShard(Buffer.concat([whole, Buffer.alloc(200)]))).files).toHaveLength(2);
});

test('a shard that is cut off anywhere is refused', async () => {
  for (let end = 0; end < whole.length; end += 16)
    await expect(readShard(whole.subarray(0, end))).rejects.toThrow(/shard/);
});

const withByte = (at: number, value: number): Buffer => {
  const bytes = Buffer.from(whole);
  bytes[at] = value;
  return bytes;
};
test.each([
  ['another tag', withByte(3, 0), 'The body is not a shard of version 2'],
  ['another version', withByte(32, 3), 'The body is not a shard of version 2'],
  ['no verification entries', withByte(48 + 35, 0x40), 'A file of the shard has no verification entries'],
  ['more terms than bytes', withByte(48 + 39, 0xff), 'The shard ends too early'],
])('a shard with %s is refused', async (_what, bytes, message) => {
  await expect(readShard(bytes)).rejects.toThrow(message);
});

test('a shard that names too many xorbs is refused', async () => {
  const named = Array.from({ length: 25_001 }, (_, at) => ({ hash: at.toString(16).padStart(64, '0'), chunks: [] }));
  await expect(
    readShard(
      shardOf(
        [],
        named.map((each) => ({ ...each, bytes: Buffer.alloc(0) })),
      ),
    ),
  ).rejects.toThrow('A shard can name at most 25000 xorbs');
});
