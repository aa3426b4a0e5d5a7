import type { Outcome } from './deliveries.ts';
import type { DeliveryContext, WebhookHandler } from './handlers.ts';
import type { WebhookPayload } from './payload.ts';

type Report = (error: unknown, context: DeliveryContext) => void;

const FAILED: Outcome = { done: false, text: '{"error":"The handler failed."}' };

/**
 * Runs the handler of an endpoint and everybody who listens, side by side; one that fails does not stop another, and
 * all of it counts as failed then. The outcome has the JSON of what the endpoint's handler gave. Never rejects.
 */
export async function run(
  handler: WebhookHandler,
  listeners: readonly WebhookHandler[],
  payload: WebhookPayload,
  context: DeliveryContext,
  onError: Report,
): Promise<Outcome> {
  const attempt = async (one: WebhookHandler): Promise<string> => JSON.stringify(await one(payload, context)) ?? 'null';
  const results = await Promise.allSettled([handler, ...listeners].map(attempt));
  const failures = results.filter((result) => result.status === 'rejected');
  for (const { reason } of failures) onError(reason, context);
  const [own] = results;
  return failures.length === 0 && own?.status === 'fulfilled' ? { done: true, text: own.value } : FAILED;
}

/** What a promise gives within so many milliseconds, or nothing. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
