import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { HubError } from './errors.ts';

/** A request whose client sends nothing for this long is aborted. */
const MAX_IDLE_MS = 120_000;
/** Bounds how much of an unwanted body is read after the response. */
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

/** Returns whether a part of the body has not arrived or was not read. */
export const isUnread = (body: IncomingMessage): boolean => !(body.complete || body.readableEnded || body.destroyed);

/**
 * Yields a response to a request whose body was not read to its end, and then keeps the connection open until the
 * client has sent the rest or has left, for two seconds at most. A connection that is closed while bytes arrive is
 * reset, and a reset would take the response away from the client. After 4 MiB nothing more is read: such a client
 * has to wait, and reads the response in the meantime.
 */
export async function* beforeTheRest(response: string | Buffer, body: Readable): AsyncGenerator<string | Buffer, void> {
  yield response;
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
      if (remaining <= 0) body.pause();
    });
    body.once('end', end).once('close', end);
  });
}
