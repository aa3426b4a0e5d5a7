import type * as routes from '@moonbase/contract/webhooks/streams';
import type { WebhookStreamEvents } from '@moonbase/contract/webhooks/streams';
import { eventsIn } from './event-stream.ts';
import type { RouteBody, SuccessAnswer } from './operation.ts';
import { call, type Hub, send, urlOf } from './request.ts';

export type { WebhookStream } from '@moonbase/contract/webhooks/streams';

/** What a stream watches, in which domains, and the secret that its deliveries are signed with. */
export type WebhookStreamInput = RouteBody<typeof routes.openWebhookStream>;

/** Which sample is sent. */
export type SampleEvent = RouteBody<typeof routes.testWebhookStream>;

/** What a stream says: deliveries as they would be posted, and from time to time that it is alive. */
export type WebhookStreamEvent = {
  [Name in keyof WebhookStreamEvents]: { readonly event: Name; readonly data: WebhookStreamEvents[Name] };
}[keyof WebhookStreamEvents];

type OneStream = Hub & { readonly streamId: string };

/** Every open stream of the caller. Throws a `HubApiError`: 401, 403. */
export function listWebhookStreams(params: Hub): Promise<SuccessAnswer<typeof routes.listWebhookStreams>> {
  return call<typeof routes.listWebhookStreams>(params, { method: 'GET', path: '/api/settings/webhook-streams' });
}

/**
 * Opens a stream: read it with `streamDeliveries`, close it with `closeWebhookStream`; it is gone by itself a minute
 * after nobody read it. Throws a `HubApiError`: 400, 401, 403, 429.
 */
export function openWebhookStream(
  params: Hub & { readonly stream: WebhookStreamInput },
): Promise<SuccessAnswer<typeof routes.openWebhookStream>> {
  const { stream: body } = params;
  return call<typeof routes.openWebhookStream>(params, { method: 'POST', path: '/api/settings/webhook-streams', body });
}

/**
 * The deliveries of a stream, from the first that is not acknowledged, until either side closes; a new call goes on.
 * Throws a `HubApiError`: 401, 403, 404.
 */
export async function* streamDeliveries(params: OneStream): AsyncGenerator<WebhookStreamEvent, void, undefined> {
  const url = urlOf(params, { path: '/api/settings/webhook-streams/{streamId}', params: idOf(params) });
  for await (const { event, data } of eventsIn(await send(params, url, { method: 'GET' })))
    yield { event, data: JSON.parse(data) } as WebhookStreamEvent;
}

/** Says what became of a delivery: `status` 0 where nothing answered. Throws a `HubApiError`: 400, 401, 403, 404. */
export function acknowledgeDelivery(
  params: OneStream & { readonly deliveryId: string } & RouteBody<typeof routes.acknowledgeDelivery>,
): Promise<SuccessAnswer<typeof routes.acknowledgeDelivery>> {
  const { deliveryId, status, error, durationMs } = params;
  return call<typeof routes.acknowledgeDelivery>(params, {
    method: 'POST',
    path: '/api/settings/webhook-streams/{streamId}/deliveries/{deliveryId}',
    params: { ...idOf(params), deliveryId },
    body: { status, error, durationMs },
  });
}

/** Sends a made-up event to a stream. Throws a `HubApiError`: 400, 401, 403, 404. */
export function testWebhookStream(
  params: OneStream & SampleEvent,
): Promise<SuccessAnswer<typeof routes.testWebhookStream>> {
  const { scope, action, repo } = params;
  return call<typeof routes.testWebhookStream>(params, {
    method: 'POST',
    path: '/api/settings/webhook-streams/{streamId}/test',
    params: idOf(params),
    body: { scope, action, repo },
  });
}

/** Closes a stream; what it has not delivered is gone. Throws a `HubApiError`: 401, 403, 404. */
export function closeWebhookStream(params: OneStream): Promise<SuccessAnswer<typeof routes.closeWebhookStream>> {
  return call<typeof routes.closeWebhookStream>(params, {
    method: 'DELETE',
    path: '/api/settings/webhook-streams/{streamId}',
    params: idOf(params),
  });
}

const idOf = ({ streamId }: OneStream) => ({ streamId });
