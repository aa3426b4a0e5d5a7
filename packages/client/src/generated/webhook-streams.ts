// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as streams from '@moonbase/contract/webhooks/streams';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export * from '../webhook-streams.ts';

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
 * Open a webhook stream. A webhook without a URL: its deliveries are read from a connection. It is gone, with what
 * it has not delivered, one minute after the last connection ended, and is not among the webhooks.
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
 * Say what became of a delivery. It is done then, whatever the status: nothing is tried again. The first answer
 * counts.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function acknowledgeDelivery(
  params: Hub & {
    readonly streamId: string;
    readonly deliveryId: string;
    /** HTTP status of the answer, 0 where none came. */
    readonly status: number;
    /** Why none came. */
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
 * Send a sample event to a stream. A made-up event of the given kind, marked by the header `X-Webhook-Test`.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function testWebhookStream(
  params: Hub & {
    readonly streamId: string;
    readonly scope?: RouteBody<typeof streams.testWebhookStream>['scope'];
    readonly action?: RouteBody<typeof streams.testWebhookStream>['action'];
    /** What it is about; need not be there. By default the first that is watched. */
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
