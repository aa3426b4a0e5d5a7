import type * as routes from '@moonbase/contract/accounts/settings';
import type { RouteBody, SuccessAnswer } from './operation.ts';
import { call, type Hub } from './request.ts';

export type {
  McpSettings,
  NotificationChange,
  NotificationKey,
  NotificationSettings,
} from '@moonbase/contract/accounts/settings';

/**
 * Changes some of the caller's notification settings; the others stay. `launch_prepaid_credits: true` needs
 * `prepaidAmount`. Throws a `HubApiError`: 400 with `issues`, 401, 403.
 *
 * ```ts
 * await updateNotificationSettings({ hubUrl, accessToken, notifications: { discussions_watched: false } });
 * ```
 */
export function updateNotificationSettings(
  params: Hub & RouteBody<typeof routes.updateNotificationSettings>,
): Promise<SuccessAnswer<typeof routes.updateNotificationSettings>> {
  const { notifications, prepaidAmount } = params;
  return call<typeof routes.updateNotificationSettings>(params, {
    method: 'PATCH',
    path: '/api/settings/notifications',
    body: { notifications, prepaidAmount },
  });
}

/** The caller's notification settings, defaults included. Throws a `HubApiError`: 401, 403. */
export function getNotificationSettings(params: Hub): Promise<SuccessAnswer<typeof routes.getNotificationSettings>> {
  return call<typeof routes.getNotificationSettings>(params, { method: 'GET', path: '/api/settings/notifications' });
}

/** The tools that an MCP server offers to the caller. Throws a `HubApiError`: 401. */
export function getMcpSettings(params: Hub): Promise<SuccessAnswer<typeof routes.getMcpSettings>> {
  return call<typeof routes.getMcpSettings>(params, { method: 'GET', path: '/api/settings/mcp' });
}

/**
 * Chooses MCP tools; each list that is given takes the place of the old one. A Space goes by `_id` or `name`. Throws a
 * `HubApiError`: 400, 401, 403, 404 for a Space that the caller may not see.
 */
export function updateMcpSettings(
  params: Hub & RouteBody<typeof routes.updateMcpSettings>,
): Promise<SuccessAnswer<typeof routes.updateMcpSettings>> {
  const { builtInTools, spaceTools } = params;
  return call<typeof routes.updateMcpSettings>(params, {
    method: 'PATCH',
    path: '/api/settings/mcp',
    body: { builtInTools, spaceTools },
  });
}
