import type * as routes from '@moonbase/contract/webhooks/streams';
import { eventsIn } from './event-stream.ts';
import type { RouteBody } from './operation.ts';
import { type Hub, send, urlOf } from './request.ts';

/** Which sample is sent. */
export type SampleEvent = RouteBody<typeof routes.testWebhookStream>;

/** What a stream says: deliveries as they would be posted, and from time to time that it is alive. */
export type WebhookStreamEvent = {
  [Name in keyof routes.WebhookStreamEvents]: { readonly event: Name; readonly data: routes.WebhookStreamEvents[Name] };
}[keyof routes.WebhookStreamEvents];

/**
 * The deliveries of a stream, from the first that is not acknowledged, until either side closes; a new call goes on.
 * Throws a `HubApiError`: 401, 403, 404.
 */
export async function* streamDeliveries(
  params: Hub & { readonly streamId: string },
): AsyncGenerator<WebhookStreamEvent, void, undefined> {
  const { streamId } = params;
  const url = urlOf(params, { path: '/api/settings/webhook-streams/{streamId}', params: { streamId } });
  for await (const { event, data } of eventsIn(await send(params, url, { method: 'GET' })))
    yield { event, data: JSON.parse(data) } as WebhookStreamEvent;
}
