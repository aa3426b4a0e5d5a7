import type { ByteRange } from '../../blobs/blob-store.ts';

/** More ranges than this are refused; clients of Xet join about 500. */
const MAX_RANGES = 1000;

/**
 * Parses a header that names ranges with both ends, such as `bytes=0-9,20-29`. Returns undefined if it is absent, malformed, or
 * if a range does not begin after the one before it.
 */
export function byteRanges(header: string | undefined): ByteRange[] | undefined {
  const [, list] = /^ *bytes *= *(\d+ *- *\d+(?: *, *\d+ *- *\d+)*) *$/i.exec(header ?? '') ?? [];
  const texts = list?.split(',') ?? [];
  if (texts.length === 0 || texts.length > MAX_RANGES) return undefined;
  const ranges = texts.map((text) => {
    const [first = 0, last = 0] = text.split('-').map(Number);
    return { first, last };
  });
  const isOrdered = ranges.every(({ first, last }, at) => first <= last && first > (ranges[at - 1]?.last ?? -1));
  return isOrdered && ranges.every(({ last }) => Number.isSafeInteger(last)) ? ranges : undefined;
}
