import { HubApiError } from '../errors.ts';
import type { Hub } from '../request.ts';
import { backoff, sleep } from '../retry.ts';

/** Answers of proxies and of a hub that is busy or restarts. 429 is tried again by every request. */
const TRANSIENT = new Set([408, 502, 503, 504]);
const RETRIES = 2;

/** Runs work again that may be done twice, after a lost connection or an answer that promises better ones later. */
export async function again<T>(hub: Hub, work: () => Promise<T>): Promise<T> {
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

/** Waits before the attempt after this one. */
export async function pause({ retry, signal }: Hub, attempt: number): Promise<void> {
  const options = retry || undefined;
  await (options?.sleep ?? sleep)(backoff(attempt, options), signal);
}

/** Whether a request may succeed if it is sent again. `fetch` throws a TypeError where a connection breaks. */
export function isTransient(error: unknown): boolean {
  if (error instanceof HubApiError) return TRANSIENT.has(error.status);
  return error instanceof TypeError && !error.message.startsWith('`');
}
