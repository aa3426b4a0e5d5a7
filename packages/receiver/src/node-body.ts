import type { IncomingMessage } from 'node:http';

type Bytes = Uint8Array<ArrayBuffer>;

/** Where parsers of bodies put them: Express in `body`, functions of clouds the bytes in `rawBody`. */
interface Parsed {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * The bytes of a body as they came, or nothing when there are more than `limit`. Rejects where a parser was there
 * before and kept no bytes: a signature cannot be checked then.
 */
export async function readBody(request: IncomingMessage & Parsed, limit: number): Promise<Bytes | undefined> {
  const { rawBody, body } = request;
  for (const kept of [rawBody, body])
    if (kept instanceof Uint8Array) return kept.length > limit ? undefined : (kept as Bytes);
  if (body !== undefined || request.readableEnded)
    throw new Error('The body was parsed already: put the webhook handler before express.json() and its like');
  if (Number(request.headers['content-length']) > limit) return undefined;
  return collect(request, limit);
}

function collect(request: IncomingMessage, limit: number): Promise<Bytes | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Bytes) : (Buffer.concat(chunks) as Bytes)));
    // Nobody is there any more to be answered.
    request.on('error', () => resolve(undefined));
  });
}
