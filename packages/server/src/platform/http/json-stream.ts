import { Readable } from 'node:stream';
import { Answer } from './answer.ts';
import type { JsonText } from './json-text.ts';

/** What is made and not read yet, at the most, beside one batch. */
const AHEAD_BYTES = 64 * 1024;

/**
 * Answers a JSON array, an item a line, as fast as the caller reads: the next batch is made when there is room for it.
 * Where a batch fails after the first, the connection breaks off.
 */
export function jsonArrayStream<T>(
  batches: AsyncIterable<readonly JsonText<T>[]>,
  headers: Readonly<Record<string, string>>,
): Answer<T[]> {
  const body = Readable.from(jsonText(batches), { objectMode: false, highWaterMark: AHEAD_BYTES });
  return new Answer(body as never, { headers: { 'content-type': 'application/json; charset=utf-8', ...headers } });
}

async function* jsonText(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let before = '[';
  for await (const batch of batches) {
    yield `${before}${batch.join(',\n')}`;
    before = ',\n';
  }
  yield before === '[' ? '[]' : ']';
}
