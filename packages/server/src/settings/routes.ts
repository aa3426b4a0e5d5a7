import * as contract from '@moonbase/contract/accounts/settings';
import type { Routes } from '../platform/http/route.ts';
import type { McpSettings } from './mcp.ts';
import type { Settings } from './service.ts';

interface Services {
  readonly settings: Settings;
  readonly mcpSettings: McpSettings;
}

export function settingsRoutes(routes: Routes, { settings, mcpSettings }: Services): void {
  routes.add(contract.updateNotificationSettings, async ({ caller, body }) => {
    await settings.updateNotifications(caller, body);
    return { success: true as const };
  });
  routes.add(contract.getNotificationSettings, ({ caller }) => settings.getNotifications(caller));
  routes.add(contract.getMcpSettings, ({ caller }) => mcpSettings.get(caller));
  routes.add(contract.updateMcpSettings, ({ caller, body }) => mcpSettings.update(caller, body));
}
