import { MAX_HELD, type Retention } from '@moonbase/contract/admin/retention';
import { MAIL_DAYS } from '../mail/index.ts';
import { RESTORABLE_MS } from '../organizations/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import { deletionsByKind } from '../platform/retention/deletion-store.ts';
import { LINK_RETENTION_MS, TRAIL_RETENTION_MS } from '../sign-in/index.ts';
import { countHeld, oldestAt } from './retention-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The settings that say how long the hub keeps what. */
export interface RetentionSettings {
  readonly webhookLogDays: number;
  readonly notificationDays: number;
  readonly auditLogDays: number | undefined;
  readonly sessionIdleDays: number;
  readonly sessionMaxDays: number;
  readonly jobs: { readonly days: number };
  readonly largeFiles: { readonly graceDays: number };
  readonly upstream: { readonly url: string | undefined; readonly keepDays: number; readonly maxMebibytes: number };
  readonly backups: { readonly keep: number } | undefined;
}

type Described = Pick<Retention, 'kind' | 'title' | 'about'> & {
  /** The settings with their values; undefined: not set. */
  readonly settings?: Readonly<Record<string, number | undefined>>;
};

const days = (count: number): string => (count === 1 ? '1 day' : `${count.toLocaleString('en')} days`);

/** Says of each kind how long it is kept, with the values in force. */
const describe = (settings: RetentionSettings): readonly Described[] => [
  {
    ...{ kind: 'deliveries', title: 'Delivery log' },
    about: `Entries and their attempts go after ${days(settings.webhookLogDays)}; pending ones stay until they have ended. Entries of a deleted webhook go with it.`,
    settings: { MOONBASE_WEBHOOK_LOG_DAYS: settings.webhookLogDays },
  },
  {
    ...{ kind: 'replays', title: 'Replays of deliveries' },
    about: `They go after ${days(settings.webhookLogDays)}, once they have ended.`,
    settings: { MOONBASE_WEBHOOK_LOG_DAYS: settings.webhookLogDays },
  },
  {
    ...{ kind: 'events', title: 'Events' },
    about: `Events and their payloads go after ${days(settings.webhookLogDays)}, once no entry of the delivery log needs them.`,
    settings: { MOONBASE_WEBHOOK_LOG_DAYS: settings.webhookLogDays },
  },
  {
    ...{ kind: 'notifications', title: 'Notifications' },
    about: `Read, unread and done ones go when nothing has happened in their thread for ${days(settings.notificationDays)}.`,
    settings: { MOONBASE_NOTIFICATION_DAYS: settings.notificationDays },
  },
  {
    ...{ kind: 'audit-events', title: 'Audit logs' },
    about:
      settings.auditLogDays === undefined
        ? 'Events of organizations and of the hub are kept for ever. The log of a removed organization is kept as well.'
        : `Events of organizations and of the hub go after ${days(settings.auditLogDays)}, the last one of each log never.`,
    settings: { MOONBASE_AUDIT_LOG_DAYS: settings.auditLogDays },
  },
  {
    ...{ kind: 'sessions', title: 'Sessions' },
    about: `Browsers have to sign in again after ${days(settings.sessionIdleDays)} without use, and after ${days(settings.sessionMaxDays)} in any case.`,
    settings: {
      MOONBASE_SESSION_IDLE_DAYS: settings.sessionIdleDays,
      MOONBASE_SESSION_MAX_DAYS: settings.sessionMaxDays,
    },
  },
  {
    ...{ kind: 'sign-ins', title: 'Sign-in history' },
    about: `Sign-ins and failed attempts, with addresses, go after ${days(TRAIL_RETENTION_MS / DAY_MS)}.`,
  },
  {
    ...{ kind: 'links', title: 'Links to join and to reset' },
    about: `Used and expired links go ${days(LINK_RETENTION_MS / DAY_MS)} after they expired, so that the hub can say until then why one no longer works.`,
  },
  {
    ...{ kind: 'job-logs', title: 'Logs of jobs' },
    about: `The log, the secrets and the payload of a finished job go after ${days(settings.jobs.days)}.`,
    settings: { MOONBASE_JOB_DAYS: settings.jobs.days },
  },
  {
    ...{ kind: 'jobs', title: 'Finished jobs' },
    about: `Jobs are listed for ${days(2 * settings.jobs.days)} after their end, the second half of it without their log.`,
    settings: { MOONBASE_JOB_DAYS: settings.jobs.days },
  },
  {
    ...{ kind: 'mails', title: 'Sent mails' },
    about: `Mails that were sent or given up go after ${days(MAIL_DAYS)}.`,
  },
  {
    ...{ kind: 'large-files', title: 'Large files in no repository' },
    about: `Bytes go ${days(settings.largeFiles.graceDays)} after the last repository or bucket lost the file, by a deletion of the file or of the repository. What was uploaded through Xet is stored and deleted in the same way.`,
    settings: { MOONBASE_LARGE_FILE_GRACE_DAYS: settings.largeFiles.graceDays },
  },
  {
    ...{ kind: 'organizations', title: 'Deleted organizations' },
    about: `They can be restored with their repositories for ${days(RESTORABLE_MS / DAY_MS)}. A repository that is deleted by itself is gone at once.`,
  },
  {
    ...{ kind: 'upstream-files', title: 'Files of the upstream' },
    about:
      settings.upstream.url === undefined
        ? 'The hub has no upstream.'
        : `Files go ${days(settings.upstream.keepDays)} after their last use, earlier when they have more than ${settings.upstream.maxMebibytes.toLocaleString('en')} MiB together.`,
    settings: {
      MOONBASE_UPSTREAM_KEEP_DAYS: settings.upstream.keepDays,
      MOONBASE_UPSTREAM_MAX_MIB: settings.upstream.maxMebibytes,
    },
  },
  {
    ...{ kind: 'backups', title: 'Backups by the hub' },
    about: settings.backups
      ? `The last ${settings.backups.keep.toLocaleString('en')} complete ones are kept.`
      : 'The hub makes no backups of itself: MOONBASE_BACKUP_TO is not set.',
    ...(settings.backups && { settings: { MOONBASE_BACKUP_KEEP: settings.backups.keep } }),
  },
  {
    ...{ kind: 'dead-letters', title: 'Dead letters' },
    about: 'They stay until a site administrator retries or discards them.',
  },
  {
    ...{ kind: 'exports', title: 'Exports of personal data and audit logs' },
    about: 'They are sent as they are made, and never stored.',
  },
];

export type ReadRetention = () => Promise<Retention[]>;

/** Creates the report on retention: how long the hub keeps what, what there is and what was deleted. */
export function createRetention({ database }: { readonly database: Database }, settings: RetentionSettings) {
  const { read } = database;
  const described = describe(settings);

  return async (): Promise<Retention[]> => {
    const deletions = await deletionsByKind(read);
    const present = async ({ settings = {}, ...texts }: Described): Promise<Retention> => {
      const deletion = deletions.get(texts.kind);
      const oldest = await oldestAt(read, texts.kind);
      return {
        ...texts,
        settings: Object.entries(settings).map(([name, value]) => ({ name, value: value ?? null })),
        held: await countHeld(read, texts.kind, MAX_HELD),
        ...(oldest !== undefined && { oldestAt: timestamp(oldest) }),
        deleted: Number(deletion?.amount ?? 0),
        ...(deletion && { lastDeletedAt: timestamp(Number(deletion.last_at)) }),
      };
    };
    const found: Retention[] = [];
    for (const each of described) found.push(await present(each));
    return found;
  };
}
