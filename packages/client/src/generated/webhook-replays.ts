// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as replays from '@moonbase/contract/webhooks/replays';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type WebhookReplay = SuccessAnswer<typeof replays.getReplay>;

/**
 * Replay many logged deliveries. Sends the currently matching entries again, oldest first, to the current target
 * with the current secret, as new entries that are retried like any delivery. A webhook must be enabled and has at
 * most one replay at a time. With `dryRun`, only counts the entries.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function replayDeliveries(
  params: Hub & {
    readonly webhookId: string;
    /** Deliveries that are on their way are never replayed. */
    readonly status?: RouteBody<typeof replays.replayDeliveries>['status'];
    readonly scope?: RouteBody<typeof replays.replayDeliveries>['scope'];
    /** namespace/name */
    readonly repo?: string | undefined;
    readonly from?: RouteBody<typeof replays.replayDeliveries>['from'];
    readonly to?: RouteBody<typeof replays.replayDeliveries>['to'];
    readonly dryRun?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof replays.replayDeliveries>> {
  return call<typeof replays.replayDeliveries>(params, {
    method: 'POST',
    path: '/api/settings/webhooks/{webhookId}/logs/replay',
    params: { webhookId: params.webhookId },
    body: {
      status: params.status,
      scope: params.scope,
      repo: params.repo,
      from: params.from,
      to: params.to,
      dryRun: params.dryRun,
    },
  });
}

/**
 * Get the progress of a replay.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getReplay(
  params: Hub & {
    readonly webhookId: string;
    readonly replayId: string;
  },
): Promise<SuccessAnswer<typeof replays.getReplay>> {
  return call<typeof replays.getReplay>(params, {
    method: 'GET',
    path: '/api/settings/webhooks/{webhookId}/logs/replay/{replayId}',
    params: { webhookId: params.webhookId, replayId: params.replayId },
  });
}

/**
 * Cancel a replay. Its queued deliveries fail and can be replayed. A finished replay is unchanged.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function cancelReplay(
  params: Hub & {
    readonly webhookId: string;
    readonly replayId: string;
  },
): Promise<SuccessAnswer<typeof replays.cancelReplay>> {
  return call<typeof replays.cancelReplay>(params, {
    method: 'DELETE',
    path: '/api/settings/webhooks/{webhookId}/logs/replay/{replayId}',
    params: { webhookId: params.webhookId, replayId: params.replayId },
  });
}
