import { isWeakToken, STRONG_TOKEN } from '../platform/weak-tokens.ts';
import type { SettingValues } from './groups.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Whether only this machine can reach the hub, and no proxy does: loopback targets are admitted, foreign hosts refused. */
export function isDevelopment({ host, publicUrl, trustedProxies }: SettingValues): boolean {
  const publicHost = publicUrl && new URL(publicUrl).hostname;
  return LOOPBACK.test(host) && (publicHost === undefined || LOOPBACK.test(publicHost)) && trustedProxies.length === 0;
}

interface Rule {
  /** The setting that is wrong. */
  readonly name: string;
  readonly remedy: string;
  readonly isBroken: (settings: SettingValues) => boolean;
}

/** What settings demand of each other. */
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
    name: 'MOONBASE_ADMIN_TOKEN',
    remedy: `must be ${STRONG_TOKEN} outside of development mode`,
    isBroken: (settings) => hasWeakToken(settings) && !isDevelopment(settings),
  },
  {
    name: 'MOONBASE_JOBS_RUNNER',
    remedy: 'process is for development mode only',
    isBroken: (settings) => settings.jobs.runner === 'process' && !isDevelopment(settings),
  },
  {
    name: 'MOONBASE_JOB_IMAGES',
    remedy: 'must be set together with the runner docker',
    isBroken: ({ jobs }) => jobs.runner === 'docker' && jobs.images.length === 0,
  },
  {
    name: 'MOONBASE_KUBERNETES',
    remedy: 'must be set for the runner kubernetes',
    isBroken: ({ jobs }) => jobs.runner === 'kubernetes' && jobs.kubernetes === undefined,
  },
];

/** Returns a sentence for each setting that does not go with another. */
export const brokenRules = (settings: SettingValues): string[] =>
  RULES.filter(({ isBroken }) => isBroken(settings)).map(({ name, remedy }) => `${name}: ${remedy}`);

export const hasWeakToken = ({ adminToken }: SettingValues): boolean =>
  adminToken !== undefined && isWeakToken(adminToken);
