import { Settings, type SettingValues } from './config/groups.ts';
import { brokenRules, isDevelopment } from './config/rules.ts';
import { listSettings, parseSettings, wrongSettings } from './config/setting.ts';
import { engineSettings, tracesUrlOf } from './config/shared-variables.ts';
import { warningsAbout } from './config/warnings.ts';
import type { S3Bucket } from './platform/blobs/s3/s3-requests.ts';
import type { MailAddress } from './platform/mail/transport.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables of the command line, which are not settings of the hub. */
export const COMMAND_LINE_VARIABLES: readonly string[] = ['MOONBASE_URL', 'MOONBASE_TOKEN'];

export interface Config extends Readonly<Omit<SettingValues, 'mail' | 'largeFiles' | 'anonymousRead'>> {
  /** Whether what is public can be read without credentials. */
  readonly anonymousRead: boolean;
  /** Undefined: no mail is sent. */
  readonly mail: MailConfig | undefined;
  readonly largeFiles: LargeFileConfig;
  /** The endpoint for traces; undefined: none. */
  readonly tracesUrl: string | undefined;
  /**
   * Whether the hub can be reached from this machine only, without a proxy: then loopback targets are allowed and
   * foreign host names are refused.
   */
  readonly developmentMode: boolean;
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
}

interface LargeFileConfig extends Readonly<Omit<SettingValues['largeFiles'], 's3'>> {
  /** Includes the secret key, so it must not be logged. Undefined: large files are stored in the data folder. */
  readonly s3: S3Bucket | undefined;
}

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
  const settings = parseSettings(Settings, { ...withoutUnset(engineSettings(environment)), ...given });
  const faults = brokenRules(settings);
  if (faults.length > 0) throw wrongSettings(faults);
  return Object.freeze({
    ...settings,
    mail: mailOf(settings),
    largeFiles: { ...settings.largeFiles, s3: bucketOf(settings) },
    tracesUrl: tracesUrlOf(environment),
    developmentMode: isDevelopment(settings),
    anonymousRead: settings.anonymousRead ?? isDevelopment(settings),
    warnings: [...unknownNames(given), ...warningsAbout(settings)],
  });
}

const withoutUnset = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value));

function mailOf({ mail: { smtpUrl, from, quietSeconds } }: SettingValues): MailConfig | undefined {
  return smtpUrl && from ? { smtpUrl, from, quietMs: quietSeconds * 1000 } : undefined;
}

function bucketOf({ largeFiles: { s3 } }: SettingValues): S3Bucket | undefined {
  const { endpoint, bucket, accessKey, secretKey } = s3;
  if (!endpoint || !bucket || !accessKey || !secretKey) return undefined;
  return { ...s3, endpoint, bucket, accessKey, secretKey };
}

function unknownNames(environment: Environment): string[] {
  const known = new Set(listSettings(Settings).map(({ name }) => name));
  return Object.keys(environment)
    .filter((name) => name.startsWith('MOONBASE_') && !known.has(name) && !COMMAND_LINE_VARIABLES.includes(name))
    .map((name) => `${name} is no setting of this version and has no effect`);
}
