import type { Readable } from 'node:stream';
import { HubError } from './errors.ts';

/** If a client sends nothing for this long, its request is aborted. */
const IDLE_MS = 120_000;
/** How much of an unwanted body is read, so that the client gets to read the response. */
const DISCARDED_BYTES = 4 * 1024 * 1024;
const DISCARDED_MS = 2_000;

/**
 * Yields the bytes of a body as they arrive, with backpressure. If the consumer stops early, the connection stays open
 * for the response. Throws a `HubError` if the connection closes before the end of the body.
 */
export async function* streamedBody(body: Readable, idleMs = IDLE_MS): AsyncGenerator<Uint8Array, void> {
  const bytes: AsyncIterator<Uint8Array, void> = body.iterator({ destroyOnReturn: false });
  const next = async () => {
    const timer = setTimeout(() => body.destroy(), idleMs);
    try {
      return await bytes.next();
    } catch {
      throw new HubError(400, 'The connection was closed before the body came to its end');
    } finally {
      clearTimeout(timer);
    }
  };
  for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
}

/** Reads and drops the rest of a body, up to a limit of bytes and time. */
export async function discard(body: Readable): Promise<void> {
  if (body.readableEnded || body.destroyed) return;
  let left = DISCARDED_BYTES;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DISCARDED_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    body.on('data', ({ length }: Buffer) => {
      left -= length;
      if (left <= 0) end();
    });
    body.once('end', end).once('close', end);
  });
  body.pause();
}
