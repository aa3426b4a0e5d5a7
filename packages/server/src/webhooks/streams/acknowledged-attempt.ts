import type { RouteInput } from '@moonbase/contract/route';
import type { acknowledgeDelivery } from '@moonbase/contract/webhooks/streams';
import type { Sendable } from '../delivery/delivery-store.ts';
import type { Attempt } from '../delivery/send.ts';

export type Acknowledgement = RouteInput<typeof acknowledgeDelivery>['body'];

/** Returns the attempt that an acknowledgement reports: the status 0 stands for no response. */
export function acknowledgedAttempt(
  delivery: Sendable,
  { status, error = 'The receiver did not answer', durationMs }: Acknowledgement,
  now: number,
): Attempt {
  const result =
    status === 0
      ? ({ kind: 'failed', error, durationMs } as const)
      : ({ kind: 'answered', status, headers: {}, body: '', durationMs } as const);
  return { delivery, startedAt: now - durationMs, url: delivery.url, result, jobId: null, note: null };
}
