// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as settings from '@moonbase/contract/accounts/settings';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/settings.ts';

export type NotificationChange = RouteBody<typeof settings.updateNotificationSettings>['notifications'];

export type NotificationSettings = SuccessAnswer<typeof settings.getNotificationSettings>['notifications'];

export type McpSettings = SuccessAnswer<typeof settings.getMcpSettings>;

/**
 * Update notification settings. Absent keys keep their values.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 */
export function updateNotificationSettings(
  params: Hub & {
    readonly notifications: RouteBody<typeof settings.updateNotificationSettings>['notifications'];
    /** Stored as given, such as `25.00`; required to set `launch_prepaid_credits` to true. */
    readonly prepaidAmount?: string | undefined;
  },
): Promise<SuccessAnswer<typeof settings.updateNotificationSettings>> {
  return call<typeof settings.updateNotificationSettings>(params, {
    method: 'PATCH',
    path: '/api/settings/notifications',
    body: { notifications: params.notifications, prepaidAmount: params.prepaidAmount },
  });
}

/**
 * Get notification settings. Returns all keys; those never set have their defaults.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function getNotificationSettings(params: Hub): Promise<SuccessAnswer<typeof settings.getNotificationSettings>> {
  return call<typeof settings.getNotificationSettings>(params, { method: 'GET', path: '/api/settings/notifications' });
}

/**
 * Get MCP tools.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function getMcpSettings(params: Hub): Promise<SuccessAnswer<typeof settings.getMcpSettings>> {
  return call<typeof settings.getMcpSettings>(params, { method: 'GET', path: '/api/settings/mcp' });
}

/**
 * Choose MCP tools. Each given list replaces the old one; absent lists are kept.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 404: A Space is not there, or not visible to the caller. Nothing has changed.
 */
export function updateMcpSettings(
  params: Hub & {
    /**
     * Ids of tools and flags, kept as given. Known to the MCP server: `hub_repo_search`, `hub_repo_details`,
     * `create_repo`, `hf_fs`, `hf_jobs`, `dynamic_space`, `hf_sandbox`, `hf_sandbox_exec`, `hf_sandbox_fs`; the flags
     * `hf_files`, `NO_GRADIO_IMAGE_CONTENT`. Default: `hub_repo_search`, `hub_repo_details`, `hf_fs`.
     */
    readonly builtInTools?: RouteBody<typeof settings.updateMcpSettings>['builtInTools'];
    readonly spaceTools?: RouteBody<typeof settings.updateMcpSettings>['spaceTools'];
  },
): Promise<SuccessAnswer<typeof settings.updateMcpSettings>> {
  return call<typeof settings.updateMcpSettings>(params, {
    method: 'PATCH',
    path: '/api/settings/mcp',
    body: { builtInTools: params.builtInTools, spaceTools: params.spaceTools },
  });
}
