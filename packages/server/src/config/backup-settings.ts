import * as z from 'zod';
import { scheduleFault } from '../platform/queue/cron.ts';
import { flag, optional, text, wholeNumber } from './forms.ts';
import { bucketEndpoint, type LargeFileSettings } from './large-file-settings.ts';
import { secret, setting } from './setting.ts';

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/;

/** Where backups are kept: in a folder, or in a bucket under a prefix, which is empty or ends with a slash. */
export type BackupTarget = { readonly folder: string } | { readonly bucket: string; readonly prefix: string };

const target = text.transform((value, context): BackupTarget => {
  if (!value.startsWith('s3:')) return { folder: value };
  const [, bucket, path = ''] = BUCKET.exec(value) ?? [];
  if (bucket === undefined) {
    context.addIssue({ code: 'custom', message: 'must be a folder, or s3://bucket/prefix' });
    return z.NEVER;
  }
  return { bucket, prefix: path === '' ? '' : `${path.slice(1)}/` };
});

const schedule = text.superRefine((value, context) => {
  const fault = scheduleFault(value, Date.now());
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

const S3Settings = z.object({
  endpoint: setting(
    'MOONBASE_BACKUP_S3_ENDPOINT',
    optional(bucketEndpoint),
    'Address of the S3-compatible service of the bucket for backups, if it is another one than `MOONBASE_S3_ENDPOINT`.',
    '`MOONBASE_S3_ENDPOINT`, with its region and keys',
  ),
  region: setting(
    'MOONBASE_BACKUP_S3_REGION',
    optional(text),
    'Region that requests to the bucket for backups are signed for.',
    '`MOONBASE_S3_REGION`',
  ),
  accessKey: secret(
    'MOONBASE_BACKUP_S3_ACCESS_KEY',
    optional(text),
    'Id of the access key of the bucket for backups. A key that the rest of the hub does not have protects backups better.',
    '`MOONBASE_S3_ACCESS_KEY`',
  ),
  secretKey: secret(
    'MOONBASE_BACKUP_S3_SECRET_KEY',
    optional(text),
    'Secret of the access key of the bucket for backups.',
    '`MOONBASE_S3_SECRET_KEY`',
  ),
  pathStyle: setting(
    'MOONBASE_BACKUP_S3_FORCE_PATH_STYLE',
    optional(flag),
    'Whether the bucket for backups is part of the path of its addresses. `false`: of the host name.',
    '`MOONBASE_S3_FORCE_PATH_STYLE`',
  ),
});

export const BackupSettings = z.object({
  target: setting(
    'MOONBASE_BACKUP_TO',
    optional(target),
    'Where the hub keeps backups of itself: a folder, best on another disk, or `s3://bucket/prefix`. One place for each hub. See [backup.md](backup.md#by-the-hub-itself).',
    'none: no backups',
  ),
  schedule: setting(
    'MOONBASE_BACKUP_SCHEDULE',
    schedule.prefault('15 3 * * *'),
    'When backups begin: five fields of cron in UTC, or `@hourly`, `@daily`, `@weekly`. The first one begins at once.',
  ),
  keep: setting(
    'MOONBASE_BACKUP_KEEP',
    wholeNumber(10_000, 1).prefault('7'),
    'Number of backups that are kept. The oldest one is deleted once a newer one is complete.',
  ),
  files: setting(
    'MOONBASE_BACKUP_FILES',
    flag.prefault('true'),
    'Whether a folder for backups also gets the files of repositories. A bucket gets the database only.',
  ),
  s3: S3Settings,
});

interface Given {
  readonly backups: z.output<typeof BackupSettings>;
  readonly largeFiles: z.output<typeof LargeFileSettings>;
}

/**
 * Returns the service and keys of the bucket for backups: its own settings, and those of large files for what it lacks. The
 * keys of large files are never sent to another service.
 */
export function s3OfBackups({ backups, largeFiles }: Given) {
  const { endpoint, region, accessKey, secretKey, pathStyle } = backups.s3;
  const other = largeFiles.s3;
  const hasKeys = endpoint !== undefined || accessKey !== undefined || secretKey !== undefined;
  return {
    endpoint: endpoint ?? other.endpoint,
    region: region ?? other.region,
    pathStyle: pathStyle ?? other.pathStyle,
    accessKey: hasKeys ? accessKey : other.accessKey,
    secretKey: hasKeys ? secretKey : other.secretKey,
  };
}
