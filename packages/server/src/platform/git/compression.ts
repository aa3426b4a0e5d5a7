import { promisify } from 'node:util';
import {
  createInflate,
  deflate as deflateCallback,
  deflateSync,
  inflate as inflateCallback,
  inflateSync,
} from 'node:zlib';
import { codeOf } from '../error-text.ts';
import { damaged, GitFault, tooLarge } from './fault.ts';

const deflateAsync = promisify(deflateCallback);
const inflateAsync = promisify(inflateCallback);

/** Larger bytes are processed outside the event loop; for smaller ones a thread takes longer than the work. */
const MAX_SYNC_BYTES = 4 * 1024;

/** Compresses at the fastest level, because most bytes of a repository are not text. */
export const deflate = async (bytes: Uint8Array): Promise<Buffer> =>
  bytes.length <= MAX_SYNC_BYTES ? deflateSync(bytes, { level: 1 }) : deflateAsync(bytes, { level: 1 });

/** Decompresses to at most `maxBytes`; ignores bytes after the end. */
export async function inflate(bytes: Uint8Array, maxBytes: number): Promise<Buffer> {
  try {
    const options = { maxOutputLength: Math.max(1, maxBytes) };
    return bytes.length <= MAX_SYNC_BYTES ? inflateSync(bytes, options) : await inflateAsync(bytes, options);
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(`An object is larger than ${maxBytes} bytes`);
    throw damaged('The compressed bytes of an object are damaged');
  }
}

/** Decompresses to at most `maxBytes`; also returns how many of the compressed bytes this took. */
export async function inflateFrom(bytes: Uint8Array, maxBytes: number): Promise<{ bytes: Buffer; taken: number }> {
  const stream = createInflate();
  stream.end(bytes);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const piece: Buffer = chunk;
      pieces.push(piece);
      size += piece.length;
      if (size > maxBytes) throw tooLarge(`An object is larger than ${maxBytes} bytes`);
    }
  } catch (error) {
    throw error instanceof GitFault ? error : damaged('The compressed bytes of an object are damaged');
  }
  return { bytes: Buffer.concat(pieces), taken: stream.bytesWritten };
}

/** Returns the maximum compressed size of a body. */
export const maxCompressed = (size: number): number => size + Math.ceil(size / 1000) + 64;

/** Returns the first decompressed bytes, at most 1 KiB; the compressed bytes may be truncated. */
export const firstBytes = (bytes: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const stream = createInflate({ chunkSize: 1024 });
    stream.once('error', () => reject(damaged('The compressed bytes of an object are damaged')));
    stream.once('end', () => reject(damaged('The compressed bytes of an object are empty')));
    stream.once('data', (chunk: Buffer) => {
      stream.destroy();
      resolve(chunk);
    });
    stream.write(bytes);
  });
