import { Readable } from 'node:stream';
import type { JsonText } from '../../stored-form.ts';
import { type Answer, rawAnswer } from '../answer.ts';
import type { Watch } from '../event-stream.ts';
import { JSON_TYPE } from './text.ts';

/** The number of bytes that are buffered ahead of the reader, besides one batch. */
const MAX_BUFFERED_BYTES = 64 * 1024;

/**
 * Responds with a JSON array, one item per line, as fast as the client reads: the next batch is made when the buffer
 * has room. If a later batch fails, or `watch` ends the response, the connection is destroyed.
 */
export function jsonArrayStream<T>(
  batches: AsyncIterable<readonly JsonText<T>[]>,
  headers: Readonly<Record<string, string>>,
  watch: Watch,
): Answer<T[]> {
  const body = Readable.from(jsonText(batches), { objectMode: false, highWaterMark: MAX_BUFFERED_BYTES });
  body.once(
    'close',
    watch(() => body.destroy()),
  );
  return rawAnswer(body, { headers: { 'content-type': JSON_TYPE, ...headers } });
}

async function* jsonText(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const batch of batches) {
    yield `${separator}${batch.join(',\n')}`;
    separator = ',\n';
  }
  yield separator === '[' ? '[]' : ']';
}
