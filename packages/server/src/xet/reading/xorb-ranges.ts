import { Readable } from 'node:stream';
import type { LargeFiles } from '../../content/index.ts';
import type { Bytes } from '../../platform/blobs/blob-store.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { type Answer, rawAnswer } from '../../platform/http/answer.ts';
import { byteRange } from '../../platform/http/byte-range.ts';
import { HubError, notFound } from '../../platform/http/errors.ts';
import { asXorb } from '../../platform/xet/chunk-list.ts';
import { findFileXorb } from './file-store.ts';
import type { RangeUrls } from './range-urls.ts';
import { readList } from './reconstructions.ts';

/** A connection that accepts no byte for this long is closed. */
const MAX_STALL_MS = 120_000;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly largeFiles: Pick<LargeFiles, 'readHeld' | 'requireAllowed'>;
  readonly urls: RangeUrls;
}

/** Passes on so many bytes after the first `skipped` ones. */
async function* sliced(bytes: Bytes, skipped: number, count: number): Bytes {
  let [toSkip, left] = [skipped, count];
  for await (const piece of bytes) {
    const part = piece.subarray(Math.min(toSkip, piece.length)).subarray(0, left);
    toSkip -= Math.min(toSkip, piece.length);
    left -= part.length;
    if (part.length > 0) yield part;
    if (left === 0) return;
  }
}

/** Returns the verb that serves chunks at a signed URL, as parts of a xorb that is made of a file. */
export function createXorbRanges({ read, largeFiles, urls }: Dependencies) {
  return async (address: string, rangeHeader: string | undefined): Promise<Answer<never>> => {
    const signed = urls.read(address);
    await largeFiles.requireAllowed(signed);
    const xorb = await findFileXorb(read, signed);
    if (!xorb?.chunks_sha256) throw notFound('The file of these chunks is gone');
    const list = await readList(largeFiles, xorb.chunks_sha256, xorb);
    const size = list.storedOffset(list.chunks);
    const allowed = { first: list.storedOffset(signed.start), last: list.storedOffset(signed.end) - 1 };
    const asked = byteRange(rangeHeader, size);
    const range = asked === 'all' ? allowed : asked;
    if (range === 'none' || range.first < allowed.first || range.last > allowed.last)
      throw new HubError(416, 'This URL is for other bytes', { headers: { 'content-range': `bytes */${size}` } });
    const [start, end] = [list.chunkAtStored(range.first), list.chunkAtStored(range.last) + 1];
    const bytes = await largeFiles.readHeld(signed.sha256, {
      first: xorb.first_byte + list.offset(start),
      last: xorb.first_byte + list.offset(end) - 1,
    });
    const length = range.last - range.first + 1;
    const body = sliced(asXorb(list, { start, end }, bytes), range.first - list.storedOffset(start), length);
    return rawAnswer(Readable.from(body, { objectMode: false }), {
      status: 206,
      stallMs: MAX_STALL_MS,
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(length),
        'content-range': `bytes ${range.first}-${range.last}/${size}`,
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-store',
      },
    });
  };
}
