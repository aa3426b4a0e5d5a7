import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { OutboundResult } from '../../platform/outbound/outbound.ts';
import type { Sendable } from './delivery-store.ts';
import type { AttemptRecorder } from './recording/attempt-recorder.ts';
import type { Attempt, Send } from './send.ts';

/** Makes one attempt of a delivery and records it. `onResponse` is called before the attempt is recorded. */
export type Deliver = (
  delivery: Sendable,
  onResponse?: (attempt: Attempt) => void,
) => Promise<{ readonly result: OutboundResult; readonly recorded: boolean }>;

interface Dependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly send: Send;
  readonly recorder: AttemptRecorder;
  /** Called with the status of the response, undefined where there was none, and the duration of the attempt. */
  readonly onAttempt?: ((status: number | undefined, seconds: number) => void) | undefined;
}

export function createDeliver({ clock, logger, send, recorder, onAttempt }: Dependencies): Deliver {
  let inFlight = 0;

  async function attempt(delivery: Sendable): Promise<Attempt> {
    const startedAt = clock.now();
    try {
      return await send(delivery);
    } catch (error) {
      const traceparent = delivery.trace ?? undefined;
      logger.error({ err: error, deliveryId: delivery.id, traceparent }, 'a delivery could not be sent');
      const result = { kind: 'failed', error: 'The hub could not send this; its log says why', durationMs: 0 } as const;
      return { delivery, startedAt, url: delivery.url, result, jobId: null, note: null, fault: error };
    }
  }

  return async (delivery, onResponse) => {
    inFlight += 1;
    const made = await attempt(delivery);
    inFlight -= 1;
    onResponse?.(made);
    const { result } = made;
    onAttempt?.(result.kind === 'answered' ? result.status : undefined, result.durationMs / 1000);
    return { result, recorded: await recorder.add(made, inFlight === 0) };
  };
}
