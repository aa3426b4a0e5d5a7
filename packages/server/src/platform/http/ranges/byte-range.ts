import type { ByteRange } from '../../blobs/blob-store.ts';

/**
 * Parses a `Range` header for a body of `size` bytes (RFC 9110, 14.2). Returns one range within the body, `all` for a
 * header that is absent, malformed or names several ranges, and `none` for a range beyond the end.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'all' | 'none' {
  const [, from, to] = /^ *bytes *= *(\d*) *- *(\d*) *$/i.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return 'all';
  if (from !== '' && to !== '' && Number(from) > Number(to)) return 'all';
  const [first, last] = from === '' ? [Math.max(size - Number(to), 0), size - 1] : [Number(from), Number(to || size)];
  if (first >= size || (from === '' && Number(to) === 0)) return 'none';
  return { first, last: Math.min(last, size - 1) };
}

/** The part of a file that a response sends, which may be the whole file. */
export interface Part {
  readonly status: 200 | 206;
  readonly length: number;
  /** Undefined means the whole file. */
  readonly range: ByteRange | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Evaluates `Range` and `If-Range` for a file; returns `none` for a range beyond its end. The files have no
 * modification date, so a date in `If-Range` never matches and the whole file is sent (RFC 9110, 13.1.5).
 */
export function partFor(
  header: (name: string) => string | undefined,
  { etag, size }: { readonly etag: string; readonly size: number },
): Part | 'none' {
  const rangeHeader = header('range');
  const ifRange = header('if-range');
  // No range of an empty file can be sent; clients of both kinds accept this response (C§4.2).
  const emptyRange = size === 0 && rangeHeader !== undefined && { 'content-range': 'bytes */0' };
  const range = size > 0 && (ifRange === undefined || ifRange === etag) ? byteRange(rangeHeader, size) : 'all';
  if (range === 'none') return 'none';
  if (range === 'all')
    return { status: 200, length: size, range: undefined, headers: { 'content-length': String(size), ...emptyRange } };
  const length = range.last - range.first + 1;
  const headers = { 'content-length': String(length), 'content-range': `bytes ${range.first}-${range.last}/${size}` };
  return { status: 206, length, range, headers };
}
