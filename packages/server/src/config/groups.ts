import { z } from 'zod';
import { AuditLogSettings } from './audit-log-settings.ts';
import { GitSettings } from './git-settings.ts';
import { JobSettings } from './job-settings.ts';
import { LargeFileSettings } from './large-file-settings.ts';
import { MirrorSettings } from './mirror-settings.ts';
import { NetworkSettings } from './network-settings.ts';
import { NotificationSettings } from './notification-settings.ts';
import { ProcessSettings } from './process-settings.ts';
import { SignInSettings } from './sign-in-settings.ts';
import { StorageSettings } from './storage-settings.ts';
import { UpstreamSettings } from './upstream-settings.ts';
import { WebhookSettings } from './webhook-settings.ts';

/** The groups of settings in the order of docs/configuration.md. */
export const GROUPS: readonly { readonly title: string; readonly group: z.ZodObject }[] = [
  { title: 'Process', group: ProcessSettings },
  { title: 'Database and keys', group: StorageSettings },
  { title: 'Large files', group: LargeFileSettings },
  { title: 'Git', group: GitSettings },
  { title: 'Mirrors', group: MirrorSettings },
  { title: 'Upstream', group: UpstreamSettings },
  { title: 'Network', group: NetworkSettings },
  { title: 'Sign-in', group: SignInSettings },
  { title: 'Webhooks', group: WebhookSettings },
  { title: 'Notifications and mail', group: NotificationSettings },
  { title: 'Jobs', group: JobSettings },
  { title: 'Audit log', group: AuditLogSettings },
];

/** All settings, arranged as in the configuration. */
export const Settings = z.object({
  ...ProcessSettings.shape,
  ...StorageSettings.shape,
  ...NetworkSettings.shape,
  ...SignInSettings.shape,
  ...WebhookSettings.shape,
  ...NotificationSettings.shape,
  ...AuditLogSettings.shape,
  jobs: JobSettings,
  largeFiles: LargeFileSettings,
  git: GitSettings,
  mirrors: MirrorSettings,
  upstream: UpstreamSettings,
});

export type SettingValues = z.output<typeof Settings>;
