import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ByteRange, Bytes } from '../../blobs/blob-store.ts';
import { type Answer, rawAnswer } from '../answer.ts';

interface Sent {
  readonly ranges: readonly ByteRange[];
  /** The size of the whole, of which the ranges are parts. */
  readonly size: number;
  readonly headers: Readonly<Record<string, string>>;
  /** If the client accepts no byte for this many milliseconds, its connection is closed. */
  readonly stallMs: number;
  /** Returns the bytes of a range, once those before it are sent. */
  readonly open: (range: ByteRange) => Promise<Bytes>;
}

const lengthOf = ({ first, last }: ByteRange): number => last - first + 1;

/** Returns a response with several ranges of bytes, each as a part of its own (RFC 9110, 14.6). */
export function multipartRanges({ ranges, size, headers, stallMs, open }: Sent): Answer<never> {
  const boundary = randomUUID();
  const parts = ranges.map((range, at) => ({
    range,
    head:
      `${at === 0 ? '' : '\r\n'}--${boundary}\r\ncontent-type: application/octet-stream\r\n` +
      `content-range: bytes ${range.first}-${range.last}/${size}\r\n\r\n`,
  }));
  const end = `\r\n--${boundary}--\r\n`;
  const length = parts.reduce((sum, { head, range }) => sum + head.length + lengthOf(range), end.length);

  async function* body(): Bytes {
    for (const { head, range } of parts) {
      yield Buffer.from(head);
      yield* await open(range);
    }
    yield Buffer.from(end);
  }

  return rawAnswer(Readable.from(body(), { objectMode: false }), {
    status: 206,
    stallMs,
    headers: {
      ...headers,
      'content-type': `multipart/byteranges; boundary=${boundary}`,
      'content-length': String(length),
    },
  });
}
