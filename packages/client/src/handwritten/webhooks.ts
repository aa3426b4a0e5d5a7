import type * as routes from '@moonbase/contract/webhooks/webhooks';
import type { Entry, RouteQuery, SuccessAnswer } from '../operation.ts';
import { type Page, pageOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type { DeliveryStatus } from '@moonbase/contract/webhooks/webhooks';

/** Filters of a delivery log; without any, all entries are listed. Times have the form `2026-01-31T12:00:00.000Z`. */
export type DeliveryFilters = Omit<RouteQuery<typeof routes.listDeliveries>, 'cursor' | 'limit'>;

type OneWebhook = Hub & { readonly webhookId: string };
type Answer = SuccessAnswer<typeof routes.setWebhookState>;

/** Enables or disables a webhook. Throws a `HubApiError`: 400, 401, 403, 404. */
export function setWebhookState(params: OneWebhook & { readonly action: 'enable' | 'disable' }): Promise<Answer> {
  const { webhookId, action } = params;
  return call<typeof routes.setWebhookState>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}/{action}',
    params: { webhookId, action },
  });
}

/** Enables a webhook, even after a suspension. Throws a `HubApiError`: 401, 403, 404. */
export const enableWebhook = (params: OneWebhook): Promise<Answer> => setWebhookState({ ...params, action: 'enable' });

/**
 * Disables a webhook; pending deliveries count as failed and can be replayed. Throws a `HubApiError`: 401, 403, 404.
 */
export const disableWebhook = (params: OneWebhook): Promise<Answer> =>
  setWebhookState({ ...params, action: 'disable' });

/**
 * Returns one page of the delivery log, newest first: the first page, or the one at a `cursor` from the previous page.
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getDeliveryPage(
  params: OneWebhook &
    DeliveryFilters & { readonly pageSize?: number | undefined; readonly cursor?: string | undefined },
): Promise<Page<Entry<typeof routes.listDeliveries>>> {
  const { webhookId, status, scope, repo, from, to, pageSize: limit, cursor } = params;
  return pageOf<typeof routes.listDeliveries>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}/logs',
    params: { webhookId },
    query: { status, scope, repo, from, to, limit, cursor },
  });
}
