// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as streams from '@moonbase/contract/webhooks/streams';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/webhook-streams.ts';

export type WebhookStream = SuccessAnswer<typeof streams.listWebhookStreams>[number];

export type WebhookStreamInput = RouteBody<typeof streams.openWebhookStream>;

export type DeliveryAcknowledgement = RouteBody<typeof streams.acknowledgeDelivery>;

/**
 * List open webhook streams.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listWebhookStreams(params: Hub): Promise<SuccessAnswer<typeof streams.listWebhookStreams>> {
  return call<typeof streams.listWebhookStreams>(params, { method: 'GET', path: '/api/settings/webhook-streams' });
}

/**
 * Open a webhook stream. Creates a webhook without a URL, whose deliveries are read from a connection. One minute
 * after its last connection ends, the stream and its pending deliveries are deleted. The list of webhooks omits
 * streams.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409, 429.
 * - 429: Too many streams of this user.
 */
export function openWebhookStream(
  params: Hub & {
    readonly stream: RouteBody<typeof streams.openWebhookStream>;
  },
): Promise<SuccessAnswer<typeof streams.openWebhookStream>> {
  return call<typeof streams.openWebhookStream>(params, {
    method: 'POST',
    path: '/api/settings/webhook-streams',
    body: params.stream,
  });
}

/**
 * Acknowledge a delivery with its outcome. The outcome is final, whatever the status: the hub does not retry. The
 * first acknowledgement counts.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function acknowledgeDelivery(
  params: Hub & {
    readonly streamId: string;
    readonly deliveryId: string;
    /** HTTP status of the response, 0 without one. */
    readonly status: number;
    /** Why there was no response. */
    readonly error?: string | undefined;
    readonly durationMs: number;
  },
): Promise<SuccessAnswer<typeof streams.acknowledgeDelivery>> {
  return call<typeof streams.acknowledgeDelivery>(params, {
    method: 'POST',
    path: '/api/settings/webhook-streams/{streamId}/deliveries/{deliveryId}',
    params: { streamId: params.streamId, deliveryId: params.deliveryId },
    body: { status: params.status, error: params.error, durationMs: params.durationMs },
  });
}

/**
 * Send a sample event to a stream. Sends a sample event of the given kind, marked by the header `X-Webhook-Test`.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function testWebhookStream(
  params: Hub & {
    readonly streamId: string;
    readonly scope?: RouteBody<typeof streams.testWebhookStream>['scope'];
    readonly action?: RouteBody<typeof streams.testWebhookStream>['action'];
    /** The repository of the event, which need not exist. Default: the first watched one. */
    readonly repo?: RouteBody<typeof streams.testWebhookStream>['repo'];
  },
): Promise<SuccessAnswer<typeof streams.testWebhookStream>> {
  return call<typeof streams.testWebhookStream>(params, {
    method: 'POST',
    path: '/api/settings/webhook-streams/{streamId}/test',
    params: { streamId: params.streamId },
    body: { scope: params.scope, action: params.action, repo: params.repo },
  });
}

/**
 * Close a webhook stream.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function closeWebhookStream(
  params: Hub & {
    readonly streamId: string;
  },
): Promise<SuccessAnswer<typeof streams.closeWebhookStream>> {
  return call<typeof streams.closeWebhookStream>(params, {
    method: 'DELETE',
    path: '/api/settings/webhook-streams/{streamId}',
    params: { streamId: params.streamId },
  });
}
