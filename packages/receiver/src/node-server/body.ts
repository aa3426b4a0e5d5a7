import type { IncomingMessage } from 'node:http';
import type { Bytes } from '../request.ts';

/** Where a parser has put the body: Express in `body`, cloud functions the bytes in `rawBody`. */
interface ParsedRequest {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Returns the bytes of a body as they came; undefined where there are more than `limit`. Rejects where a parser has read
 * the body and kept no bytes, without which the signature cannot be verified.
 */
export function readBody(request: IncomingMessage & ParsedRequest, limit: number): Promise<Bytes | undefined> {
  const { rawBody, body, headers } = request;
  const kept = rawBody ?? body;
  return new Promise((resolve) => {
    if (isBytes(kept)) return resolve(kept.length > limit ? undefined : kept);
    if (kept !== undefined || request.readableEnded)
      throw new Error('The body was parsed already: put the webhook handler before express.json() and its like');
    if (Number(headers['content-length']) > limit) return resolve(undefined);
    const chunks: Buffer<ArrayBuffer>[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer<ArrayBuffer>) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    // The sender is gone, so nobody waits for an answer.
    request.on('error', () => resolve(undefined));
  });
}

/** Whether a parser has kept the bytes of a body; none of them keeps shared memory. */
const isBytes = (kept: unknown): kept is Bytes => kept instanceof Uint8Array;
