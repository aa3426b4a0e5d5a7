import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { codeOf } from '../platform/error-text.ts';
import { badRequest, HubError } from '../platform/http/errors.ts';

/** Yields the bytes of a request as they were before its `Content-Encoding`. Throws 400 or 415 if that is impossible. */
export async function* decoded(
  body: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncGenerator<Uint8Array, void> {
  if (encoding === undefined || encoding === 'identity') {
    yield* body;
    return;
  }
  if (!/^(x-)?gzip$/i.test(encoding)) throw new HubError(415, 'The Content-Encoding must be gzip');
  const source = Readable.from(body);
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  gunzip.once('close', () => source.destroy());
  try {
    for await (const piece of source.pipe(gunzip)) yield piece;
  } catch (error) {
    if (codeOf(error)?.startsWith('Z_')) throw badRequest('The body is not valid gzip');
    throw error;
  }
}

/** Returns a whole body. Throws 413 if it has more than `maxBytes`. */
export async function wholeBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new HubError(413, `The request has more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
