// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as webhooks from '@moonbase/contract/webhooks/webhooks';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/webhooks.ts';

export type Webhook = SuccessAnswer<typeof webhooks.listWebhooks>[number];

export type WebhookJob = NonNullable<SuccessAnswer<typeof webhooks.listWebhooks>[number]['job']>;

export type WebhookPayload = SuccessAnswer<typeof webhooks.listSampleEvents>[number]['payload'];

export type WebhookFigures = SuccessAnswer<typeof webhooks.listWebhookFigures>[number];

export type WebhookInput = RouteBody<typeof webhooks.createWebhook>;

export type WebhookJobInput = NonNullable<RouteBody<typeof webhooks.createWebhook>['job']>;

export type Delivery = SuccessAnswer<typeof webhooks.listDeliveries>[number];

export type AttemptCounts = SuccessAnswer<typeof webhooks.countDeliveries>['hours'][number];

export type DeliveryDetails = SuccessAnswer<typeof webhooks.getDelivery>;

/**
 * List webhooks.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listWebhooks(params: Hub): Promise<SuccessAnswer<typeof webhooks.listWebhooks>> {
  return call<typeof webhooks.listWebhooks>(params, { method: 'GET', path: '/api/settings/webhooks' });
}

/**
 * List the events that the hub sends, each with a sample. The payloads are made up, and about a model of the
 * caller that need not exist.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listSampleEvents(params: Hub): Promise<SuccessAnswer<typeof webhooks.listSampleEvents>> {
  return call<typeof webhooks.listSampleEvents>(params, { method: 'GET', path: '/api/settings/webhook-samples' });
}

/**
 * List how the webhooks fare. For each webhook of `GET /api/settings/webhooks` its last attempt, whether it fails,
 * and figures of 24 hours, which follow within seconds.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listWebhookFigures(params: Hub): Promise<SuccessAnswer<typeof webhooks.listWebhookFigures>> {
  return call<typeof webhooks.listWebhookFigures>(params, { method: 'GET', path: '/api/settings/webhook-figures' });
}

/**
 * Create a webhook.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 404: The job of `jobSourceId` is not there, or not visible to the caller.
 */
export function createWebhook(
  params: Hub & {
    readonly webhook: RouteBody<typeof webhooks.createWebhook>;
  },
): Promise<SuccessAnswer<typeof webhooks.createWebhook>> {
  return call<typeof webhooks.createWebhook>(params, {
    method: 'POST',
    path: '/api/settings/webhooks',
    body: params.webhook,
  });
}

/**
 * Get a webhook.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getWebhook(
  params: Hub & {
    readonly webhookId: string;
  },
): Promise<SuccessAnswer<typeof webhooks.getWebhook>> {
  return call<typeof webhooks.getWebhook>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}',
    params: { webhookId: params.webhookId },
  });
}

/**
 * Update a webhook. An absent target or `secret` keeps the old one; `"secret": ""` removes the secret. `disabled`
 * is unchanged.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateWebhook(
  params: Hub & {
    readonly webhookId: string;
    readonly webhook: RouteBody<typeof webhooks.updateWebhook>;
  },
): Promise<SuccessAnswer<typeof webhooks.updateWebhook>> {
  return call<typeof webhooks.updateWebhook>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}',
    params: { webhookId: params.webhookId },
    body: params.webhook,
  });
}

/**
 * Delete a webhook.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteWebhook(
  params: Hub & {
    readonly webhookId: string;
  },
): Promise<SuccessAnswer<typeof webhooks.deleteWebhook>> {
  return call<typeof webhooks.deleteWebhook>(params, {
    method: 'DELETE',
    path: '/api/settings/webhooks/{webhookId}',
    params: { webhookId: params.webhookId },
  });
}

/**
 * Replay a logged delivery. Sends the stored payload to the current target with the current secret and waits for
 * the response. Without an HTTP response, returns status 0 with `error`.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function replayDelivery(
  params: Hub & {
    readonly webhookId: string;
    readonly logId: string;
  },
): Promise<SuccessAnswer<typeof webhooks.replayDelivery>> {
  return call<typeof webhooks.replayDelivery>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}/replay/{logId}',
    params: { webhookId: params.webhookId, logId: params.logId },
  });
}

/**
 * Send a sample event. Sends a sample event of the given kind, marked by the header `X-Webhook-Test`, waits for
 * the response and logs it like any delivery.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function testWebhook(
  params: Hub & {
    readonly webhookId: string;
    readonly scope?: RouteBody<typeof webhooks.testWebhook>['scope'];
    readonly action?: RouteBody<typeof webhooks.testWebhook>['action'];
    /** The repository of the event, which need not exist. Default: the first watched one. */
    readonly repo?: RouteBody<typeof webhooks.testWebhook>['repo'];
  },
): Promise<SuccessAnswer<typeof webhooks.testWebhook>> {
  return call<typeof webhooks.testWebhook>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}/test',
    params: { webhookId: params.webhookId },
    body: { scope: params.scope, action: params.action, repo: params.repo },
  });
}

/**
 * List the delivery log, newest first. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listDeliveries(
  params: Hub & {
    readonly webhookId: string;
    /** `pending`: not tried yet; `retrying`: tried, failed and due again; `throttled`: above the daily limit. */
    readonly status?: RouteQuery<typeof webhooks.listDeliveries>['status'];
    readonly scope?: RouteQuery<typeof webhooks.listDeliveries>['scope'];
    /** namespace/name */
    readonly repo?: string | undefined;
    readonly from?: RouteQuery<typeof webhooks.listDeliveries>['from'];
    readonly to?: RouteQuery<typeof webhooks.listDeliveries>['to'];
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof webhooks.listDeliveries>, void, undefined> {
  return entriesOf<typeof webhooks.listDeliveries>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}/logs',
    params: { webhookId: params.webhookId },
    query: {
      status: params.status,
      scope: params.scope,
      repo: params.repo,
      from: params.from,
      to: params.to,
      limit: params.pageSize,
    },
  });
}

/**
 * Count the attempts of 24 hours by their time and outcome. All attempts of the webhook, whatever they were about.
 * The counts follow within seconds.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function countDeliveries(
  params: Hub & {
    readonly webhookId: string;
  },
): Promise<SuccessAnswer<typeof webhooks.countDeliveries>> {
  return call<typeof webhooks.countDeliveries>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}/logs/counts',
    params: { webhookId: params.webhookId },
  });
}

/**
 * Get a log entry with its payload and attempts.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getDelivery(
  params: Hub & {
    readonly webhookId: string;
    readonly logId: string;
  },
): Promise<SuccessAnswer<typeof webhooks.getDelivery>> {
  return call<typeof webhooks.getDelivery>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}/logs/{logId}',
    params: { webhookId: params.webhookId, logId: params.logId },
  });
}

/**
 * Replace the secret. For 24 hours, deliveries are also signed with the old secret; the header carries the new
 * one.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function rotateWebhookSecret(
  params: Hub & {
    readonly webhookId: string;
    readonly secret: string;
  },
): Promise<SuccessAnswer<typeof webhooks.rotateWebhookSecret>> {
  return call<typeof webhooks.rotateWebhookSecret>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}/secret/rotate',
    params: { webhookId: params.webhookId },
    body: { secret: params.secret },
  });
}
