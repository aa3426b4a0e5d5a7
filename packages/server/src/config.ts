import { s3OfBackups } from './config/backup-settings.ts';
import { type SettingInForce, Settings, type SettingValues, settingsInForce } from './config/groups.ts';
import { brokenRules, isDevelopment } from './config/rules.ts';
import { listSettings, parseSettings, wrongSettings } from './config/setting.ts';
import { engineSettings, tracesUrlOf } from './config/shared-variables.ts';
import { nearestName } from './config/starting/nearest-name.ts';
import { warningsAbout } from './config/starting/warnings.ts';
import type { S3Bucket } from './platform/blobs/s3/s3-requests.ts';
import type { MailAddress } from './platform/mail/transport.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'MOONBASE_';

/** Environment variables of the command line, which are not settings of the hub. */
export const COMMAND_LINE_VARIABLES: readonly string[] = ['MOONBASE_URL', 'MOONBASE_TOKEN'];

export interface Config extends Readonly<Omit<SettingValues, 'mail' | 'largeFiles' | 'backups' | 'anonymousRead'>> {
  /** Whether what is public can be read without credentials. */
  readonly anonymousRead: boolean;
  /** Undefined: no mail is sent. */
  readonly mail: MailConfig | undefined;
  readonly largeFiles: LargeFileConfig;
  /** Undefined: the hub makes no backups of itself. */
  readonly backups: BackupConfig | undefined;
  /** The endpoint for traces; undefined: none. */
  readonly tracesUrl: string | undefined;
  /**
   * Whether the hub can be reached from this machine only, without a proxy: then loopback targets are allowed and
   * foreign host names are refused.
   */
  readonly developmentMode: boolean;
  /** All settings with their values, without those that are secret. */
  readonly settingsInForce: readonly SettingInForce[];
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
}

interface LargeFileConfig extends Readonly<Omit<SettingValues['largeFiles'], 's3'>> {
  /** Includes the secret key, so it must not be logged. Undefined: large files are stored in the data folder. */
  readonly s3: S3Bucket | undefined;
}

interface BackupConfig extends Readonly<Pick<SettingValues['backups'], 'schedule' | 'keep' | 'files'>> {
  readonly target: BackupPlaceConfig;
}

/** Includes the secret key of a bucket, so it must not be logged. The prefix is empty or ends with a slash. */
type BackupPlaceConfig = { readonly folder: string } | { readonly s3: S3Bucket; readonly prefix: string };

interface MailConfig {
  /** Includes credentials, so it must not be logged. */
  readonly smtpUrl: string;
  readonly from: MailAddress;
  /** How long a mail about a thread waits for further comments. */
  readonly quietMs: number;
}

/** Reads the settings once. Throws one error that names each wrong setting and what it must be. */
export function readConfig(environment: Environment = process.env): Config {
  const given = withoutUnset(environment);
  const values = { ...withoutUnset(engineSettings(environment)), ...given };
  const settings = parseSettings(Settings, values);
  const faults = brokenRules(settings);
  if (faults.length > 0) throw wrongSettings(faults);
  const anonymousRead = settings.anonymousRead ?? isDevelopment(settings);
  return Object.freeze({
    ...settings,
    mail: mailOf(settings),
    largeFiles: { ...settings.largeFiles, s3: bucketOf(settings.largeFiles.s3) },
    backups: backupsOf(settings),
    tracesUrl: tracesUrlOf(environment),
    developmentMode: isDevelopment(settings),
    anonymousRead,
    settingsInForce: settingsInForce(values, { MOONBASE_ANONYMOUS_READ: String(anonymousRead) }),
    warnings: [...unknownNames(given), ...warningsAbout(settings)],
  });
}

const withoutUnset = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value));

function mailOf({ mail: { smtpUrl, from, quietSeconds } }: SettingValues): MailConfig | undefined {
  return smtpUrl && from ? { smtpUrl, from, quietMs: quietSeconds * 1000 } : undefined;
}

function backupsOf({ backups, largeFiles }: SettingValues): BackupConfig | undefined {
  const { target, schedule, keep, files } = backups;
  if (target === undefined) return undefined;
  if ('folder' in target) return { target, schedule, keep, files };
  const s3 = bucketOf({ ...s3OfBackups({ backups, largeFiles }), bucket: target.bucket });
  return s3 && { target: { s3, prefix: target.prefix }, schedule, keep, files };
}

function bucketOf(s3: SettingValues['largeFiles']['s3']): S3Bucket | undefined {
  const { endpoint, bucket, accessKey, secretKey } = s3;
  if (!endpoint || !bucket || !accessKey || !secretKey) return undefined;
  return { ...s3, endpoint, bucket, accessKey, secretKey };
}

function unknownNames(environment: Environment): string[] {
  const known = new Set([...listSettings(Settings).map(({ name }) => name), ...COMMAND_LINE_VARIABLES]);
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name))
    .map((name) => {
      const nearest = nearestName(name, known, PREFIX);
      const remedy = nearest === undefined ? 'see docs/configuration.md' : `did you mean ${nearest}?`;
      return `${name} is no setting of this version and has no effect; ${remedy}`;
    });
}
