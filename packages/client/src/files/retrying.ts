import { HubApiError } from '../errors.ts';
import type { Hub } from '../request.ts';
import { backoff, sleep } from '../retry.ts';

/** Statuses of proxies and of a hub that is busy or restarting. Every request handles 429 by itself. */
const TRANSIENT = new Set([408, 502, 503, 504]);
const RETRIES = 2;

/** Repeats idempotent work after a lost connection or a temporary error. */
export async function retrying<T>(hub: Hub, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || !mayTryAgain(hub, attempt)) throw error;
      await pause(hub, attempt);
    }
  }
}

export const mayTryAgain = ({ retry, signal }: Hub, attempt: number): boolean =>
  retry !== false && !signal?.aborted && attempt < (retry?.retries ?? RETRIES);

/** Waits before the next attempt. */
export async function pause({ retry, signal }: Hub, attempt: number): Promise<void> {
  const options = retry || undefined;
  await (options?.sleep ?? sleep)(backoff(attempt, options), signal);
}

/** Returns whether a repeated request may succeed. `fetch` throws a TypeError if a connection breaks. */
export function isTransient(error: unknown): boolean {
  if (error instanceof HubApiError) return TRANSIENT.has(error.status);
  return error instanceof TypeError && !error.message.startsWith('`');
}
