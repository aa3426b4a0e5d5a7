import { Readable } from 'node:stream';
import { type Answer, rawAnswer } from '../answer.ts';
import type { Watch } from '../event-stream.ts';
import { JSON_TYPE, type JsonText } from './text.ts';

/** What is made and not read yet, at the most, beside one batch. */
const AHEAD_BYTES = 64 * 1024;

/**
 * Answers a JSON array, an item a line, as fast as the caller reads: the next batch is made when there is room for it.
 * Where a batch fails after the first, and when `watch` calls `end`, the connection breaks off.
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
