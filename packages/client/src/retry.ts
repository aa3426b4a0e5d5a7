/** How a request is tried again that the hub had no room for. */
export interface Retry {
  /** Attempts after the first one: 2. */
  readonly retries?: number | undefined;
  /** The longest wait before one of them, in milliseconds: 30,000. Where the hub asks for more, its answer is thrown. */
  readonly maxWait?: number | undefined;
  /** Waits for so many milliseconds; rejects with the reason of the signal when that aborts. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** From 0 up to 1: spreads the waits that nobody asked for. */
  readonly random?: (() => number) | undefined;
}

const SAFE = new Set(['GET', 'HEAD']);
const FIRST_WAIT = 500;

/**
 * Milliseconds to wait before the same is asked again; undefined: the answer stands. 429 was refused before anything was
 * done; 503 may have been half way, and is asked again only where asking changes nothing (RFC 9110, 9.2.1).
 */
export function waitBeforeRetry(
  { status, headers }: Response,
  { method, attempt }: { readonly method: string; readonly attempt: number },
  { retries = 2, maxWait = 30_000, now = Date.now, random = Math.random }: Retry = {},
): number | undefined {
  if (attempt >= retries || !(status === 429 || (status === 503 && SAFE.has(method)))) return undefined;
  const wait = askedWait(headers, now()) ?? FIRST_WAIT * 2 ** attempt * (0.5 + random() / 2);
  return wait > maxWait ? undefined : wait;
}

/** What an answer asks for, in milliseconds: until a spent `RateLimit` begins anew (W§2.4), else its `Retry-After`. */
export function askedWait(headers: Headers, now: number): number | undefined {
  const limit = headers.get('ratelimit') ?? '';
  const [, reset] = /;\s*r=0\s*(?=;|$)/.test(limit) ? (/;\s*t=(\d{1,9})/.exec(limit) ?? []) : [];
  if (reset !== undefined) return (Number(reset) + 1) * 1000;
  const after = headers.get('retry-after')?.trim();
  if (after === undefined || after === '') return undefined;
  if (/^\d{1,9}$/.test(after)) return Number(after) * 1000;
  // Anything but a date's name of a day would be read as some year.
  const date = /^[A-Z][a-z]{2}/.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The wait of a `Retry` that brings none of its own. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
