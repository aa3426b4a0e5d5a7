import type { IncomingMessage } from 'node:http';
import type { Bytes } from '../request.ts';

/** Where parsers of bodies put them: Express in `body`, functions of clouds the bytes in `rawBody`. */
interface Parsed {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * The bytes of a body as they came, or nothing when there are more than `limit`. Rejects where a parser was there
 * before and kept no bytes: a signature cannot be checked then.
 */
export function readBody(request: IncomingMessage & Parsed, limit: number): Promise<Bytes | undefined> {
  const { rawBody, body, headers } = request;
  const kept = rawBody ?? body;
  return new Promise((resolve) => {
    if (kept instanceof Uint8Array) return resolve(kept.length > limit ? undefined : (kept as Bytes));
    if (kept !== undefined || request.readableEnded)
      throw new Error('The body was parsed already: put the webhook handler before express.json() and its like');
    if (Number(headers['content-length']) > limit) return resolve(undefined);
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)) as Bytes));
    // Nobody is there any more to be answered.
    request.on('error', () => resolve(undefined));
  });
}
