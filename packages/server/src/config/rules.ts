import { IN_MEMORY } from '../platform/database/sqlite/sqlite.ts';
import { isInTheClear } from '../platform/outbound/issuer.ts';
import { isWeakToken, STRONG_TOKEN } from '../platform/weak-tokens.ts';
import { s3OfBackups } from './backup-settings.ts';
import type { SettingValues } from './groups.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/**
 * Returns whether the hub can be reached from this machine only, without a proxy: then loopback targets are allowed and
 * foreign host names are refused.
 */
export function isDevelopment({ host, publicUrl, trustedProxies }: SettingValues): boolean {
  const publicHost = publicUrl && new URL(publicUrl).hostname;
  return LOOPBACK.test(host) && (publicHost === undefined || LOOPBACK.test(publicHost)) && trustedProxies.length === 0;
}

interface Rule {
  /** The name of the wrong setting. */
  readonly name: string;
  readonly remedy: string;
  readonly isBroken: (settings: SettingValues) => boolean;
}

/** Constraints between settings. */
const RULES: readonly Rule[] = [
  {
    name: 'MOONBASE_SECRET_KEY',
    remedy: 'must be set together with MOONBASE_DATABASE_URL',
    isBroken: ({ databaseUrl, secretKey }) => databaseUrl !== undefined && secretKey === undefined,
  },
  {
    name: 'MOONBASE_ROLE',
    remedy: 'api and worker need MOONBASE_DATABASE_URL',
    isBroken: ({ role, databaseUrl }) => role !== 'all' && databaseUrl === undefined,
  },
  {
    name: 'MOONBASE_SECRET_KEY',
    remedy: 'must be set together with MOONBASE_SECRET_KEY_OLD',
    isBroken: ({ secretKey, secretKeyOld }) => secretKeyOld !== undefined && secretKey === undefined,
  },
  {
    name: 'MOONBASE_MAIL_FROM',
    remedy: 'must be set together with MOONBASE_SMTP_URL',
    isBroken: ({ mail }) => mail.smtpUrl !== undefined && mail.from === undefined,
  },
  {
    name: 'MOONBASE_OIDC_CLIENT_ID',
    remedy: 'must be set together with MOONBASE_OIDC_ISSUER',
    isBroken: ({ oidc }) => (oidc.issuer === undefined) !== (oidc.clientId === undefined),
  },
  {
    name: 'MOONBASE_SIGN_IN',
    remedy: 'must have password or token where MOONBASE_OIDC_ISSUER is not set: nobody could sign in',
    isBroken: ({ signInWays, oidc }) => signInWays.every((way) => way === 'oidc') && oidc.issuer === undefined,
  },
  {
    name: 'MOONBASE_SIGN_UP',
    remedy: 'mail domains need MOONBASE_SMTP_URL and MOONBASE_PUBLIC_URL: the hub mails links that confirm addresses',
    isBroken: ({ signUp, mail, publicUrl }) =>
      typeof signUp !== 'string' && (mail.smtpUrl === undefined || publicUrl === undefined),
  },
  {
    name: 'MOONBASE_SIGN_UP',
    remedy: 'mail domains need password in MOONBASE_SIGN_IN: who signs up chooses a password',
    isBroken: ({ signUp, signInWays }) => typeof signUp !== 'string' && !signInWays.includes('password'),
  },
  {
    name: 'MOONBASE_OIDC_AUTO',
    remedy: 'must be set together with MOONBASE_OIDC_ISSUER, and oidc in MOONBASE_SIGN_IN',
    isBroken: ({ signInWays, oidc }) => oidc.auto && (oidc.issuer === undefined || !signInWays.includes('oidc')),
  },
  {
    name: 'MOONBASE_PUBLIC_URL',
    remedy: 'must be set together with MOONBASE_OIDC_ISSUER: the provider sends people back there',
    isBroken: (settings) =>
      settings.oidc.issuer !== undefined && settings.publicUrl === undefined && !isDevelopment(settings),
  },
  {
    name: 'MOONBASE_OIDC_ISSUER',
    remedy: 'must be an https URL outside of development mode',
    isBroken: (settings) =>
      settings.oidc.issuer !== undefined && isInTheClear(settings.oidc.issuer) && !isDevelopment(settings),
  },
  {
    name: 'MOONBASE_S3_ENDPOINT',
    remedy: 'must be set together with MOONBASE_S3_BUCKET, MOONBASE_S3_ACCESS_KEY and MOONBASE_S3_SECRET_KEY',
    isBroken: ({ largeFiles: { s3 } }) =>
      new Set([s3.endpoint, s3.bucket, s3.accessKey, s3.secretKey].map((value) => value === undefined)).size > 1,
  },
  {
    name: 'MOONBASE_BACKUP_TO',
    remedy:
      'a bucket needs MOONBASE_BACKUP_S3_ENDPOINT, MOONBASE_BACKUP_S3_ACCESS_KEY and MOONBASE_BACKUP_S3_SECRET_KEY, where it has not those of MOONBASE_S3_ENDPOINT',
    isBroken: (settings) => {
      if (settings.backups.target === undefined || 'folder' in settings.backups.target) return false;
      const { endpoint, accessKey, secretKey } = s3OfBackups(settings);
      return endpoint === undefined || accessKey === undefined || secretKey === undefined;
    },
  },
  {
    name: 'MOONBASE_BACKUP_TO',
    remedy: 'a hub in memory has no backups: set MOONBASE_DATA_DIR to a folder, or MOONBASE_DATABASE_URL',
    isBroken: ({ backups, dataDir, databaseUrl }) =>
      backups.target !== undefined && dataDir === IN_MEMORY && databaseUrl === undefined,
  },
  {
    name: 'MOONBASE_GIT_STORE',
    remedy: 'bucket needs MOONBASE_S3_ENDPOINT',
    isBroken: ({ git, largeFiles: { s3 } }) => git.store === 'bucket' && s3.endpoint === undefined,
  },
  {
    name: 'MOONBASE_UPSTREAM_URL',
    remedy: 'must be set together with MOONBASE_UPSTREAM_TOKEN',
    isBroken: ({ upstream }) => upstream.token !== undefined && upstream.url === undefined,
  },
  {
    name: 'MOONBASE_UPSTREAM_URL',
    remedy: 'must be another hub than MOONBASE_PUBLIC_URL',
    isBroken: ({ upstream, publicUrl }) =>
      upstream.url !== undefined && upstream.url === publicUrl?.replace(/\/+$/, ''),
  },
  {
    name: 'MOONBASE_ADMIN_TOKEN',
    remedy: `must be ${STRONG_TOKEN} outside of development mode`,
    isBroken: (settings) => hasWeakToken(settings) && !isDevelopment(settings),
  },
  {
    name: 'MOONBASE_JOBS_RUNNER',
    remedy: 'process is for development mode only: choose docker or kubernetes',
    isBroken: (settings) => settings.jobs.runner === 'process' && !isDevelopment(settings),
  },
  {
    name: 'MOONBASE_JOB_IMAGES',
    remedy: 'must be set where MOONBASE_JOBS_RUNNER is docker',
    isBroken: ({ jobs }) => jobs.runner === 'docker' && jobs.images.length === 0,
  },
  {
    name: 'MOONBASE_KUBERNETES',
    remedy: 'must be set where MOONBASE_JOBS_RUNNER is kubernetes',
    isBroken: ({ jobs }) => jobs.runner === 'kubernetes' && jobs.kubernetes === undefined,
  },
];

/** Returns a sentence for each violated constraint. */
export const brokenRules = (settings: SettingValues): string[] =>
  RULES.filter(({ isBroken }) => isBroken(settings)).map(({ name, remedy }) => `${name}: ${remedy}`);

export const hasWeakToken = ({ adminToken }: SettingValues): boolean =>
  adminToken !== undefined && isWeakToken(adminToken);
