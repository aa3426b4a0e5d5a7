import { Readable } from 'node:stream';
import type { LargeFiles } from '../../content/index.ts';
import type { ByteRange, Bytes } from '../../platform/blobs/blob-store.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { type Answer, rawAnswer } from '../../platform/http/answer.ts';
import { HubError, notFound } from '../../platform/http/errors.ts';
import { byteRange } from '../../platform/http/ranges/byte-range.ts';
import { byteRanges } from '../../platform/http/ranges/byte-ranges.ts';
import { multipartRanges } from '../../platform/http/ranges/multipart-ranges.ts';
import { asXorb } from '../../platform/xet/chunk-list.ts';
import { findFileXorb } from './file-store.ts';
import type { RangeUrls } from './range-urls.ts';
import { readList } from './reconstructions.ts';

/** A connection that accepts no byte for this long is closed. */
const MAX_STALL_MS = 120_000;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly largeFiles: Pick<LargeFiles, 'readHeld' | 'requireSigned'>;
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
    await largeFiles.requireSigned({ ...signed, permission: 'repo.content.read' });
    const xorb = await findFileXorb(read, signed);
    if (!xorb?.chunks_sha256) throw notFound('The file of these chunks is gone');
    const list = await readList(largeFiles, xorb.chunks_sha256, xorb);
    const size = list.storedOffset(list.chunks);
    const allowed = { first: list.storedOffset(signed.start), last: list.storedOffset(signed.end) - 1 };

    const open = async (range: ByteRange): Promise<Bytes> => {
      const [start, end] = [list.chunkAtStored(range.first), list.chunkAtStored(range.last) + 1];
      const bytes = await largeFiles.readHeld(signed.sha256, {
        first: xorb.first_byte + list.offset(start),
        last: xorb.first_byte + list.offset(end) - 1,
      });
      return sliced(asXorb(list, { start, end }, bytes), range.first - list.storedOffset(start), lengthOf(range));
    };

    const ranges = askedRanges(rangeHeader, size, allowed);
    if (ranges.some(({ first, last }) => first < allowed.first || last > allowed.last)) throw otherBytes(size);
    const [range, ...others] = ranges;
    if (!range) throw otherBytes(size);
    if (others.length > 0) return multipartRanges({ ranges, size, headers: HEADERS, stallMs: MAX_STALL_MS, open });
    return rawAnswer(Readable.from(await open(range), { objectMode: false }), {
      status: 206,
      stallMs: MAX_STALL_MS,
      headers: {
        ...HEADERS,
        'content-type': 'application/octet-stream',
        'content-length': String(lengthOf(range)),
        'content-range': `bytes ${range.first}-${range.last}/${size}`,
      },
    });
  };
}

const HEADERS = { 'accept-ranges': 'bytes', 'cache-control': 'private, no-store' } as const;

const lengthOf = ({ first, last }: ByteRange): number => last - first + 1;

/** Returns the ranges of a xorb that a request asks for: all that are allowed if it names none, none beyond the end. */
function askedRanges(header: string | undefined, size: number, allowed: ByteRange): readonly ByteRange[] {
  const several = byteRanges(header);
  if (several && several.length > 1) return several;
  const asked = byteRange(header, size);
  if (asked === 'none') return [];
  return [asked === 'all' ? allowed : asked];
}

const otherBytes = (size: number) =>
  new HubError(416, 'This URL is for other bytes', { headers: { 'content-range': `bytes */${size}` } });
