import type * as routes from '@moonbase/contract/webhooks/replays';
import type { RouteBody, SuccessAnswer } from './operation.ts';
import { call, type Hub } from './request.ts';

export type { WebhookReplay } from '@moonbase/contract/webhooks/replays';

type OneWebhook = Hub & { readonly webhookId: string };
type OneReplay = OneWebhook & { readonly replayId: string };

/**
 * Sends many logged deliveries again, oldest first; `dryRun` only counts them. Times as `2026-01-31T12:00:00.000Z`.
 * Throws a `HubApiError`: 400, 401, 403, 404, and 409 where the webhook is not enabled or a replay is running.
 *
 * ```ts
 * const replay = await replayDeliveries({ hubUrl, accessToken, webhookId, status: 'failed' });
 * ```
 */
export function replayDeliveries(
  params: OneWebhook & RouteBody<typeof routes.replayDeliveries>,
): Promise<SuccessAnswer<typeof routes.replayDeliveries>> {
  const { webhookId, status, scope, repo, from, to, dryRun } = params;
  return call<typeof routes.replayDeliveries>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}/logs/replay',
    params: { webhookId },
    body: { status, scope, repo, from, to, dryRun },
  });
}

/** How far a replay is. Throws a `HubApiError`: 401, 403, 404. */
export function getReplay(params: OneReplay): Promise<SuccessAnswer<typeof routes.getReplay>> {
  return call<typeof routes.getReplay>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}/logs/replay/{replayId}',
    params: idsOf(params),
  });
}

/** Ends a replay that is running, with what it has in the queue. Throws a `HubApiError`: 401, 403, 404. */
export function cancelReplay(params: OneReplay): Promise<SuccessAnswer<typeof routes.cancelReplay>> {
  return call<typeof routes.cancelReplay>(params, {
    method: 'DELETE',
    path: '/api/settings/webhooks/{webhookId}/logs/replay/{replayId}',
    params: idsOf(params),
  });
}

const idsOf = ({ webhookId, replayId }: OneReplay) => ({ webhookId, replayId });
