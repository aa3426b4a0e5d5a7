import type { Receiver } from './receiver.ts';
import type { Bytes } from './request.ts';

interface Waiter {
  waitUntil(promise: Promise<unknown>): void;
}

/**
 * A fetch handler: for Hono, Deno, Bun and Workers. Where the runtime hands over something with `waitUntil`, as Workers
 * do, a handler that goes on after a 202 is waited for.
 *
 * ```ts
 * const workers = { fetch: createWebHandler(receiver) };
 * ```
 */
export function createWebHandler(receiver: Receiver): (request: Request, ...runtime: unknown[]) => Promise<Response> {
  return async (request, ...runtime) => {
    const { status, headers, body, unfinished } = await receiver.receive({
      method: request.method === 'HEAD' ? 'GET' : request.method,
      path: new URL(request.url).pathname,
      header: (name) => request.headers.get(name) ?? undefined,
      body: (limit) => readBody(request, limit),
    });
    if (unfinished) runtime.find(isWaiter)?.waitUntil(unfinished);
    return new Response(request.method === 'HEAD' ? null : body, { status, headers });
  };
}

const isWaiter = (value: unknown): value is Waiter =>
  typeof value === 'object' && value !== null && 'waitUntil' in value && typeof value.waitUntil === 'function';

async function readBody({ headers, body }: Request, limit: number): Promise<Bytes | undefined> {
  if (Number(headers.get('content-length')) > limit) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
