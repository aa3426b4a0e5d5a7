import { z } from 'zod';
import { AuditLogSettings } from './audit-log-settings.ts';
import { JobSettings } from './job-settings.ts';
import { NetworkSettings } from './network-settings.ts';
import { NotificationSettings } from './notification-settings.ts';
import { ProcessSettings } from './process-settings.ts';
import { StorageSettings } from './storage-settings.ts';
import { WebhookSettings } from './webhook-settings.ts';

/** The tables of docs/configuration.md, in their order. */
export const GROUPS: readonly { readonly title: string; readonly group: z.ZodObject }[] = [
  { title: 'Process', group: ProcessSettings },
  { title: 'Database and keys', group: StorageSettings },
  { title: 'Network', group: NetworkSettings },
  { title: 'Webhooks', group: WebhookSettings },
  { title: 'Notifications and mail', group: NotificationSettings },
  { title: 'Jobs', group: JobSettings },
  { title: 'Audit log', group: AuditLogSettings },
];

/** Every setting, by its place in the configuration. */
export const Settings = z.object({
  ...ProcessSettings.shape,
  ...StorageSettings.shape,
  ...NetworkSettings.shape,
  ...WebhookSettings.shape,
  ...NotificationSettings.shape,
  ...AuditLogSettings.shape,
  jobs: JobSettings,
});

export type SettingValues = z.output<typeof Settings>;
