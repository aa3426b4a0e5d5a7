import { expect, test } from 'vitest';
import { bytesOf } from '../../../test/blobs/bytes.ts';
import { chunksOf } from '../../../test/xet-chunker.ts';
import { createChunkCutter } from './chunk-cutter.ts';
import { GEAR_TABLE } from './gear-table.ts';

const cut = createChunkCutter(GEAR_TABLE);

test.each([
  ['random bytes', bytesOf(1_500_000)],
  ['text', Buffer.from('weights of the model, '.repeat(30_000))],
  ['zeros', new Uint8Array(500_000)],
  ['one byte of each value in turn', Uint8Array.from({ length: 300_000 }, (_, at) => at % 251)],
  ['runs of each byte', Uint8Array.from({ length: 256 * 9_000 }, (_, at) => at / 9_000)],
  ['less than a chunk', bytesOf(700)],
  ['nothing', new Uint8Array()],
])('%s are cut where hf_xet cuts them', (_what, bytes) => {
  expect(cut(bytes, true)).toEqual(chunksOf(bytes).map(({ length }) => length));
});

test('a file cut in pieces has the same chunks', () => {
  const bytes = bytesOf(1_000_000);
  const lengths: number[] = [];
  let [start, end] = [0, 0];
  while (end < bytes.length) {
    end = Math.min(bytes.length, end + 150_000);
    for (const length of cut(bytes.subarray(start, end), end === bytes.length)) {
      lengths.push(length);
      start += length;
    }
  }
  expect(lengths).toEqual(cut(bytes, true));
});
