import type * as routes from '@moonbase/contract/webhooks/webhooks';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from './operation.ts';
import { entriesOf, type Page, pageOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { Delivery, DeliveryDetails, DeliveryStatus, Webhook } from '@moonbase/contract/webhooks/webhooks';

/** A webhook as it is sent: exactly one of `url`, `job` and `jobSourceId` is its target. */
export type WebhookInput = RouteBody<typeof routes.createWebhook>;

/** Which entries of a delivery log; without any, all of them. Times as `2026-01-31T12:00:00.000Z`. */
export type DeliveryFilters = Omit<RouteQuery<typeof routes.listDeliveries>, 'cursor' | 'limit'>;

type OneWebhook = Hub & { readonly webhookId: string };
type OneDelivery = OneWebhook & { readonly logId: string };
type WebhookAnswer = SuccessAnswer<typeof routes.getWebhook>;

/** Every webhook of the caller. Throws a `HubApiError`: 401, 403. */
export function listWebhooks(params: Hub): Promise<SuccessAnswer<typeof routes.listWebhooks>> {
  return call<typeof routes.listWebhooks>(params, { method: 'GET', path: '/api/settings/webhooks' });
}

/**
 * Creates a webhook. Throws a `HubApiError`: 400 with `issues`, 401, 403.
 *
 * ```ts
 * const { webhook } = await createWebhook({
 *   hubUrl, accessToken,
 *   webhook: { watched: [{ type: 'user', name: 'ada' }], url: 'https://example.com/hook', domains: ['repo'] },
 * });
 * ```
 */
export function createWebhook(params: Hub & { readonly webhook: WebhookInput }): Promise<WebhookAnswer> {
  const { webhook: body } = params;
  return call<typeof routes.createWebhook>(params, { method: 'POST', path: '/api/settings/webhooks', body });
}

/** One webhook of the caller. Throws a `HubApiError`: 401, 403, 404. */
export function getWebhook(params: OneWebhook): Promise<WebhookAnswer> {
  return call<typeof routes.getWebhook>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}',
    params: idOf(params),
  });
}

/** Replaces a webhook; an absent target or `secret` keeps the old one. Throws a `HubApiError`: 400, 401, 403, 404. */
export function updateWebhook(params: OneWebhook & { readonly webhook: WebhookInput }): Promise<WebhookAnswer> {
  return call<typeof routes.updateWebhook>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}',
    params: idOf(params),
    body: params.webhook,
  });
}

/** Deletes a webhook. Throws a `HubApiError`: 401, 403, 404. */
export function deleteWebhook(params: OneWebhook): Promise<SuccessAnswer<typeof routes.deleteWebhook>> {
  return call<typeof routes.deleteWebhook>(params, {
    method: 'DELETE',
    path: '/api/settings/webhooks/{webhookId}',
    params: idOf(params),
  });
}

/** Enables or disables a webhook. Throws a `HubApiError`: 401, 403, 404. */
export function setWebhookState(
  params: OneWebhook & { readonly action: 'enable' | 'disable' },
): Promise<WebhookAnswer> {
  return call<typeof routes.setWebhookState>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}/{action}',
    params: { ...idOf(params), action: params.action },
  });
}

/** Lets a webhook deliver again, after a suspension too. Throws a `HubApiError`: 401, 403, 404. */
export const enableWebhook = (params: OneWebhook): Promise<WebhookAnswer> =>
  setWebhookState({ ...params, action: 'enable' });

/** Stops a webhook; what is pending counts as failed and can be replayed. Throws a `HubApiError`: 401, 403, 404. */
export const disableWebhook = (params: OneWebhook): Promise<WebhookAnswer> =>
  setWebhookState({ ...params, action: 'disable' });

/** Sends a logged payload again and waits: the receiver's `status`, 0 without one. Throws a `HubApiError`: 404. */
export function replayDelivery(params: OneDelivery): Promise<SuccessAnswer<typeof routes.replayDelivery>> {
  return call<typeof routes.replayDelivery>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}/replay/{logId}',
    params: { ...idOf(params), logId: params.logId },
  });
}

/** Sends a made-up event, an update of `repo.content` by default, about the first repository watched, and waits. Throws a `HubApiError`: 400, 404. */
export function testWebhook(
  params: OneWebhook & RouteBody<typeof routes.testWebhook>,
): Promise<SuccessAnswer<typeof routes.testWebhook>> {
  const { scope, action, repo } = params;
  return call<typeof routes.testWebhook>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}/test',
    params: idOf(params),
    body: { scope, action, repo },
  });
}

/**
 * The delivery log, newest first, over all pages; `pageSize` (10 to 1000) entries are asked for at a time.
 * Throws a `HubApiError` when a page is asked for: 400, 401, 403, 404.
 *
 * ```ts
 * for await (const { id, error } of listDeliveries({ hubUrl, accessToken, webhookId, status: 'failed' })) {
 *   console.log(id, error);
 * }
 * ```
 */
export function listDeliveries(
  params: OneWebhook & DeliveryFilters & { readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof routes.listDeliveries>, void, undefined> {
  const { status, scope, repo, from, to, pageSize } = params;
  return entriesOf<typeof routes.listDeliveries>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}/logs',
    params: idOf(params),
    query: { status, scope, repo, from, to, limit: pageSize?.toString() },
  });
}

/**
 * One page of the delivery log, newest first: from its beginning, or from a `cursor` that the page before had.
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getDeliveryPage(
  params: OneWebhook &
    DeliveryFilters & { readonly pageSize?: number | undefined; readonly cursor?: string | undefined },
): Promise<Page<Entry<typeof routes.listDeliveries>>> {
  const { status, scope, repo, from, to, pageSize, cursor } = params;
  return pageOf<typeof routes.listDeliveries>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}/logs',
    params: idOf(params),
    query: { status, scope, repo, from, to, limit: pageSize?.toString(), cursor },
  });
}

/** The deliveries of the last 24 hours, hour by hour, by outcome. Throws a `HubApiError`: 401, 403, 404. */
export function countDeliveries(params: OneWebhook): Promise<SuccessAnswer<typeof routes.countDeliveries>> {
  return call<typeof routes.countDeliveries>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}/logs/counts',
    params: idOf(params),
  });
}

/** A log entry with its payload and each attempt. Throws a `HubApiError`: 401, 403, 404. */
export function getDelivery(params: OneDelivery): Promise<SuccessAnswer<typeof routes.getDelivery>> {
  return call<typeof routes.getDelivery>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}/logs/{logId}',
    params: { ...idOf(params), logId: params.logId },
  });
}

/** Replaces the secret; for 24 hours the old one signs, too. Throws a `HubApiError`: 400, 401, 403, 404. */
export function rotateWebhookSecret(
  params: OneWebhook & RouteBody<typeof routes.rotateWebhookSecret>,
): Promise<SuccessAnswer<typeof routes.rotateWebhookSecret>> {
  return call<typeof routes.rotateWebhookSecret>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}/secret/rotate',
    params: idOf(params),
    body: { secret: params.secret },
  });
}

const idOf = ({ webhookId }: OneWebhook) => ({ webhookId });
