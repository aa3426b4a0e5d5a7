import { Readable } from 'node:stream';
import { type Answer, rawAnswer } from '../answer.ts';
import type { Watch } from '../event-stream.ts';

/** The number of bytes that are buffered ahead of the reader, besides one batch. */
const MAX_BUFFERED_BYTES = 64 * 1024;

export const JSON_LINES_TYPE = 'application/x-ndjson';

interface Options {
  readonly headers: Readonly<Record<string, string>>;
  readonly watch: Watch;
  /** If the client accepts no byte for this many milliseconds, its connection is closed. */
  readonly stallMs: number;
  /** Called once the response has ended, in whatever way. */
  readonly onClose: () => void;
}

/**
 * Responds with one JSON value a line, as fast as the client reads: the next batch is made when the buffer has room. If a
 * later batch fails, or `watch` ends the response, the connection is destroyed.
 */
export function jsonLines(
  batches: AsyncIterable<readonly unknown[]>,
  { headers, watch, stallMs, onClose }: Options,
): Answer<never> {
  const body = Readable.from(linesOf(batches), { objectMode: false, highWaterMark: MAX_BUFFERED_BYTES });
  const stopWatching = watch(() => body.destroy());
  body.once('close', () => {
    stopWatching();
    onClose();
  });
  return rawAnswer(body, { headers: { 'content-type': JSON_LINES_TYPE, ...headers }, stallMs });
}

async function* linesOf(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const batch of batches)
    if (batch.length > 0) yield batch.map((value) => `${JSON.stringify(value)}\n`).join('');
}
