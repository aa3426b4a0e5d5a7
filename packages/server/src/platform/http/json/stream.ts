import { Readable } from 'node:stream';
import type { JsonText } from '../../stored-form.ts';
import { type Answer, rawAnswer } from '../answer.ts';
import type { Watch } from '../event-stream.ts';
import { JSON_TYPE } from './text.ts';

/** How many bytes are buffered ahead of the reader, besides one batch. */
const AHEAD_BYTES = 64 * 1024;

/**
 * Responds with a JSON array, one item per line, as fast as the client reads: the next batch is made when the buffer
 * has room. If a later batch fails, or `watch` calls `end`, the connection is destroyed.
 */
export function jsonArrayStream<T>(
  batches: AsyncIterable<readonly JsonText<T>[]>,
  headers: Readonly<Record<string, string>>,
  watch: Watch,
): Answer<T[]> {
  const body = Readable.from(jsonText(batches), { objectMode: false, highWaterMark: AHEAD_BYTES });
  body.once(
    'close',
    watch(() => body.destroy()),
  );
  return rawAnswer(body, { headers: { 'content-type': JSON_TYPE, ...headers } });
}

async function* jsonText(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let before = '[';
  for await (const batch of batches) {
    yield `${before}${batch.join(',\n')}`;
    before = ',\n';
  }
  yield before === '[' ? '[]' : ']';
}
