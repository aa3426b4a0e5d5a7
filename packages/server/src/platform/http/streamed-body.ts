import type { Readable } from 'node:stream';
import { HubError } from './errors.ts';

/** A request whose client sends nothing for this long is aborted. */
const MAX_IDLE_MS = 120_000;
/** Bounds how much of an unwanted body is read, so that the client gets to read the response. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;
const MAX_DISCARD_MS = 2_000;

/**
 * Yields the bytes of a body as they arrive, with backpressure. If the consumer stops early, the connection stays open
 * for the response. Throws a `HubError` if the connection closes before the end of the body.
 */
export async function* streamedBody(body: Readable, idleMs = MAX_IDLE_MS): AsyncGenerator<Uint8Array, void> {
  const bytes: AsyncIterator<Uint8Array, void> = body.iterator({ destroyOnReturn: false });
  const next = async () => {
    const timer = setTimeout(() => body.destroy(), idleMs);
    try {
      return await bytes.next();
    } catch {
      throw new HubError(400, 'The connection was closed before the body was complete');
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
  } finally {
    // Otherwise nobody else can read the rest.
    await bytes.return?.();
  }
}

/** Reads and drops the rest of a body, up to a limit of bytes and time. */
export async function discard(body: Readable): Promise<void> {
  if (body.readableEnded || body.destroyed) return;
  let remaining = MAX_DISCARDED_BYTES;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, MAX_DISCARD_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    body.on('data', ({ length }: Buffer) => {
      remaining -= length;
      if (remaining <= 0) end();
    });
    body.once('end', end).once('close', end);
  });
  body.pause();
}
