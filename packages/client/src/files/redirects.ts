import type { Fetch } from '../request.ts';

/** The statuses of redirects that keep method and body. */
const KEEPING = new Set([307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Returns a `fetch` that sends a stream again to the new name of a moved repository: `fetch` itself follows redirects of
 * other bodies only. The token stays with its hub.
 */
export const followingRedirects =
  (perform: Fetch, stream: () => ReadableStream<Uint8Array>): Fetch =>
  async (url, init) => {
    let target = url;
    let response = await perform(target, { ...init, redirect: 'manual' });
    for (let redirects = 0; KEEPING.has(response.status) && redirects < MAX_REDIRECTS; redirects++) {
      const next = new URL(response.headers.get('location') ?? '', target);
      if (next.origin !== new URL(target).origin) return response;
      await response.body?.cancel();
      target = next.href;
      response = await perform(target, { ...init, body: stream(), redirect: 'manual' });
    }
    return response;
  };
