/** How requests are retried when the hub is too busy. */
export interface Retry {
  /** The maximum number of retries; 2 by default. */
  readonly retries?: number | undefined;
  /** The maximum wait in milliseconds; 30,000 by default. If the hub requests more, its response is thrown. */
  readonly maxWait?: number | undefined;
  /** Waits for a number of milliseconds; rejects with the signal's reason if the signal aborts. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Returns the milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Returns a number from 0 up to 1, which varies the waits that the hub does not specify. */
  readonly random?: (() => number) | undefined;
}

const SAFE = new Set(['GET', 'HEAD']);
const FIRST_WAIT = 500;

/**
 * Returns the milliseconds to wait before a retry; undefined if the response is final. A 429 means that nothing was
 * done; a request that ended with 503 may have been executed, so only reads are retried (RFC 9110, 9.2.1).
 */
export function waitBeforeRetry(
  { status, headers }: Response,
  { method, attempt }: { readonly method: string; readonly attempt: number },
  { retries = 2, maxWait = 30_000, now = Date.now, random = Math.random }: Retry = {},
): number | undefined {
  if (attempt >= retries || !(status === 429 || (status === 503 && SAFE.has(method)))) return undefined;
  const wait = requestedWaitMs(headers, now()) ?? backoff(attempt, { random });
  return wait > maxWait ? undefined : wait;
}

/** Returns the milliseconds to wait before an attempt if the hub specifies no time. */
export const backoff = (attempt: number, { random = Math.random }: Retry = {}): number =>
  FIRST_WAIT * 2 ** attempt * (0.5 + random() / 2);

/** Returns the wait that a response requests: until the exhausted `RateLimit` renews (W§2.4), or the `Retry-After`. */
export function requestedWaitMs(headers: Headers, now: number): number | undefined {
  const limit = headers.get('ratelimit') ?? '';
  const [, reset] = /;\s*r=0\s*(?=;|$)/.test(limit) ? (/;\s*t=(\d{1,9})/.exec(limit) ?? []) : [];
  if (reset !== undefined) return (Number(reset) + 1) * 1000;
  const after = headers.get('retry-after')?.trim();
  if (after === undefined || after === '') return undefined;
  if (/^\d{1,9}$/.test(after)) return Number(after) * 1000;
  // Only texts that begin with the name of a day are dates; Date.parse would read others as some year.
  const date = /^[A-Z][a-z]{2}/.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Waits if a `Retry` has no `sleep` of its own. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
