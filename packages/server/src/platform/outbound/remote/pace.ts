import { RemoteFault } from './fault.ts';

export interface Pace {
  readonly minBytes: number;
  readonly windowMs: number;
}

/**
 * Passes bytes on. Throws a `RemoteFault` if fewer than `minBytes` came while they were waited for during `windowMs`; the
 * wait for the first bytes and the time that the reader takes do not count.
 */
export async function* withPace<T extends Uint8Array>(
  bytes: AsyncIterable<T>,
  { minBytes, windowMs }: Pace,
): AsyncGenerator<T, void> {
  let waitedMs = 0;
  let received = 0;
  let isFirst = true;
  let since = performance.now();
  for await (const piece of bytes) {
    if (!isFirst) waitedMs += performance.now() - since;
    isFirst = false;
    received += piece.length;
    if (waitedMs >= windowMs) {
      if (received < minBytes)
        throw new RemoteFault(`The remote is too slow: ${received} bytes came in ${Math.round(waitedMs / 1000)} s`);
      [waitedMs, received] = [0, 0];
    }
    yield piece;
    since = performance.now();
  }
}
