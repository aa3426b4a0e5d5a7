export { createMcpSettings, type McpSettings } from './mcp.ts';
export { DECIDING_KEYS, type DecidingKey } from './policy.ts';
export { settingsRoutes } from './routes.ts';
export { createSettings, type Settings, turnOff } from './service.ts';
export { notificationsOn } from './store.ts';
export type { NotificationSettingsRow } from './tables.ts';
export { SETTINGS_BACKUP } from './tables.ts';
