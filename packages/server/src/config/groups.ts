import * as z from 'zod';
import { AuditLogSettings } from './audit-log-settings.ts';
import { BackupSettings } from './backup-settings.ts';
import { GitSettings } from './git-settings.ts';
import { JobSettings } from './job-settings.ts';
import { LargeFileSettings } from './large-file-settings.ts';
import { MirrorSettings } from './mirror-settings.ts';
import { NetworkSettings } from './network-settings.ts';
import { NotificationSettings } from './notification-settings.ts';
import { ProcessSettings } from './process-settings.ts';
import { QuotaSettings } from './quota-settings.ts';
import { defaultText, type ListedSetting, listSettings } from './setting.ts';
import { SignInSettings } from './sign-in-settings.ts';
import { StorageSettings } from './storage-settings.ts';
import { UpstreamSettings } from './upstream-settings.ts';
import { WebhookSettings } from './webhook-settings.ts';

/** The groups of settings in the order of docs/configuration.md. */
export const GROUPS: readonly { readonly title: string; readonly group: z.ZodObject }[] = [
  { title: 'Process', group: ProcessSettings },
  { title: 'Database and keys', group: StorageSettings },
  { title: 'Large files', group: LargeFileSettings },
  { title: 'Backups', group: BackupSettings },
  { title: 'Git', group: GitSettings },
  { title: 'Mirrors', group: MirrorSettings },
  { title: 'Upstream', group: UpstreamSettings },
  { title: 'Network', group: NetworkSettings },
  { title: 'Sign-in', group: SignInSettings },
  { title: 'Quotas of users', group: QuotaSettings },
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
  ...QuotaSettings.shape,
  ...WebhookSettings.shape,
  ...NotificationSettings.shape,
  ...AuditLogSettings.shape,
  jobs: JobSettings,
  largeFiles: LargeFileSettings,
  backups: BackupSettings,
  git: GitSettings,
  mirrors: MirrorSettings,
  upstream: UpstreamSettings,
});

export type SettingValues = z.output<typeof Settings>;

/** A setting with the value in force. */
export interface SettingInForce extends Pick<ListedSetting, 'name' | 'docs' | 'isSecret'> {
  /** The title of its group. */
  readonly group: string;
  /** What holds where it is not set, in Markdown. */
  readonly default: string;
  /** Whether the environment sets it. */
  readonly isSet: boolean;
  /** The value as it would be written in the environment; undefined: none, or it is secret. */
  readonly value: string | undefined;
}

type Values = Readonly<Record<string, string | undefined>>;

/** A URL with a user or a query: a setting with such a value is secret, whatever its declaration says. */
const MAY_HAVE_CREDENTIALS = /:\/\/\S*[@?#]/;

/** Lists all settings; `resolved` has what the hub decides where a setting has neither a value nor a default. */
export const settingsInForce = (given: Values, resolved: Values): SettingInForce[] =>
  GROUPS.flatMap(({ title, group }) =>
    listSettings(group).map((setting) => {
      const { name, docs } = setting;
      const value = given[name]?.trim() ?? resolved[name] ?? setting.default;
      const isSecret = setting.isSecret || MAY_HAVE_CREDENTIALS.test(value ?? '');
      return {
        ...{ name, docs, isSecret, group: title, default: defaultText(setting) },
        ...{ isSet: given[name] !== undefined, value: isSecret ? undefined : value },
      };
    }),
  );
