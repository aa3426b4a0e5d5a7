import type { Outcome } from './deliveries.ts';
import type { DeliveryContext, WebhookHandler } from './handlers.ts';
import { all, chain, isPromise, type MaybePromise } from './maybe.ts';
import type { WebhookPayload } from './payload.ts';

type Report = (error: unknown, context: DeliveryContext) => void;

const FAILED: Outcome = { done: false, text: '{"error":"The handler failed."}' };

const succeeded = (result: unknown): Outcome => ({ done: true, text: JSON.stringify(result) ?? 'null' });

/**
 * Runs the handler of an endpoint and all listeners in parallel. A failure does not stop the others, but the whole
 * delivery then counts as failed. The outcome contains the result of the endpoint's handler as JSON. Never throws.
 */
export function run(
  handler: WebhookHandler,
  listeners: readonly WebhookHandler[],
  payload: WebhookPayload,
  context: DeliveryContext,
  onError: Report,
): MaybePromise<Outcome> {
  const failed = (error: unknown): Outcome => {
    onError(error, context);
    return FAILED;
  };
  const attempt = (one: WebhookHandler): MaybePromise<Outcome> => {
    try {
      const result = one(payload, context);
      return isPromise(result) ? Promise.resolve(result).then(succeeded).catch(failed) : succeeded(result);
    } catch (error) {
      return failed(error);
    }
  };
  const own = attempt(handler);
  if (listeners.length === 0) return own;
  return chain(all([own, ...listeners.map(attempt)]), (outcomes) =>
    outcomes.every(({ done }) => done) ? (outcomes[0] ?? FAILED) : FAILED,
  );
}

/** What a promise gives within so many milliseconds, or nothing. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
