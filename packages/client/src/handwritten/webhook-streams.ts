import type * as routes from '@moonbase/contract/webhooks/streams';
import type { RouteBody } from '../operation.ts';
import { type Hub, send, urlOf } from '../request.ts';
import { type NamedEvent, namedEventsIn } from '../streams/event-stream.ts';

/** The sample event to send. */
export type SampleEvent = RouteBody<typeof routes.testWebhookStream>;

/** An event of a stream: a delivery as it would be posted, or a heartbeat. */
export type WebhookStreamEvent = NamedEvent<routes.WebhookStreamEvents>;

/**
 * Yields the deliveries of a stream, beginning with the first unacknowledged one, until either side closes the
 * connection; a new call continues from there. Throws a `HubApiError`: 401, 403, 404.
 */
export async function* streamDeliveries(
  params: Hub & { readonly streamId: string },
): AsyncGenerator<WebhookStreamEvent, void, undefined> {
  const { streamId } = params;
  const url = urlOf(params, { path: '/api/settings/webhook-streams/{streamId}', params: { streamId } });
  yield* namedEventsIn<routes.WebhookStreamEvents>(await send(params, url, { method: 'GET' }));
}
