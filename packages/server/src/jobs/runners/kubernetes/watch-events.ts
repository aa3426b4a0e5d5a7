import { ApiError } from './api-client.ts';
import type { KubernetesObject } from './objects.ts';

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

interface WatchError {
  readonly type: 'ERROR';
  readonly object: {
    readonly code?: number;
    readonly message?: string;
    readonly details?: { retryAfterSeconds?: number };
  };
}

/** Far more than an event needs: Kubernetes stores objects of at most 1.5 MiB. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Yields the events of a watch, one JSON object per line. Throws events of the type ERROR as an `ApiError`. */
export async function* readWatch<T extends KubernetesObject>(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<WatchEvent<T>> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]).toString();
      parts = [];
      size = 0;
      from = end + 1;
      if (line.trim() !== '') yield eventOf<T>(line);
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > MAX_LINE_BYTES) throw new Error('An event of a watch has no end');
  }
}

function eventOf<T>(line: string): WatchEvent<T> {
  const event: WatchEvent<T> | WatchError = JSON.parse(line);
  if (event.type !== 'ERROR') return event;
  const { code = 500, message = 'The watch failed', details } = event.object;
  const seconds = details?.retryAfterSeconds;
  throw new ApiError(code, message, seconds === undefined ? undefined : seconds * 1000);
}
