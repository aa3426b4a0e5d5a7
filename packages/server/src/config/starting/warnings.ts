import { resolve, sep } from 'node:path';
import { IN_MEMORY } from '../../platform/database/sqlite/sqlite.ts';
import { STRONG_TOKEN } from '../../platform/weak-tokens.ts';
import type { SettingValues } from '../groups.ts';
import { hasWeakToken, isDevelopment } from '../rules.ts';

/** Returns warnings about settings that are valid but may surprise the operator. */
export function warningsAbout(settings: SettingValues): string[] {
  const { backups, dataDir, jobs, mail, oidc, publicUrl, sessionIdleDays, sessionMaxDays, upstream } = settings;
  return [
    ...(dataDir === IN_MEMORY ? ['Nothing is kept: MOONBASE_DATA_DIR is :memory:'] : []),
    ...(hasWeakToken(settings) ? [`MOONBASE_ADMIN_TOKEN can be guessed: take ${STRONG_TOKEN}`] : []),
    ...(jobs.runner === 'process'
      ? ['Jobs are commands that run with the rights of the hub: MOONBASE_JOBS_RUNNER is process']
      : []),
    ...(mail.smtpUrl === undefined && mail.from !== undefined
      ? ['MOONBASE_MAIL_FROM has no effect, and mail is off: MOONBASE_SMTP_URL is not set']
      : []),
    ...(mail.smtpUrl !== undefined && publicUrl === undefined
      ? ['Links in mails lead to the address that the hub listens on: MOONBASE_PUBLIC_URL is not set']
      : []),
    ...(backups.target !== undefined && 'folder' in backups.target && isWithin(dataDir, backups.target.folder)
      ? ['Whatever destroys the data folder destroys its backups, too: MOONBASE_BACKUP_TO is within MOONBASE_DATA_DIR']
      : []),
    ...(backups.target !== undefined && 'bucket' in backups.target && keepsFilesInFolder(settings)
      ? [
          'Backups in a bucket are without the files of repositories: back the data folder up by other means, or name a folder with MOONBASE_BACKUP_TO',
        ]
      : []),
    ...(sessionIdleDays > sessionMaxDays
      ? ['MOONBASE_SESSION_IDLE_DAYS has no effect: sessions end before, after MOONBASE_SESSION_MAX_DAYS; make it less']
      : []),
    ...(oidc.clientSecret !== undefined && oidc.issuer === undefined
      ? ['MOONBASE_OIDC_CLIENT_SECRET has no effect: MOONBASE_OIDC_ISSUER is not set']
      : []),
    ...(publicUrl !== undefined && new URL(publicUrl).pathname !== '/'
      ? ['MOONBASE_PUBLIC_URL has a path, under which the console does not work: give the hub a host name of its own']
      : []),
    ...(upstream.token !== undefined && upstream.url?.startsWith('http:') && !isDevelopment(settings)
      ? ['The token of the upstream is sent in the clear: MOONBASE_UPSTREAM_URL begins with http:']
      : []),
  ];
}

const isWithin = (folder: string, path: string): boolean =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);

/** Returns whether files of repositories are in the data folder only. */
const keepsFilesInFolder = ({ git, largeFiles: { s3 } }: SettingValues): boolean =>
  git.store === 'folder' || s3.endpoint === undefined;
