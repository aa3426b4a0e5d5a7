import { IN_MEMORY } from '../platform/database/sqlite/sqlite.ts';
import { STRONG_TOKEN } from '../platform/weak-tokens.ts';
import type { SettingValues } from './groups.ts';
import { hasWeakToken, isDevelopment } from './rules.ts';

/** Returns warnings about settings that are valid but may surprise the operator. */
export function warningsAbout(settings: SettingValues): string[] {
  const { dataDir, jobs, mail, publicUrl, upstream } = settings;
  return [
    ...(dataDir === IN_MEMORY ? ['Nothing is kept: MOONBASE_DATA_DIR is :memory:'] : []),
    ...(hasWeakToken(settings) ? [`MOONBASE_ADMIN_TOKEN can be guessed: take ${STRONG_TOKEN}`] : []),
    ...(jobs.runner === 'process'
      ? ['Jobs are commands that run with the rights of the hub: MOONBASE_JOBS_RUNNER is process']
      : []),
    ...(mail.smtpUrl !== undefined && publicUrl === undefined
      ? ['Links in mails lead to the address that the hub listens on: MOONBASE_PUBLIC_URL is not set']
      : []),
    ...(upstream.token !== undefined && upstream.url?.startsWith('http:') && !isDevelopment(settings)
      ? ['The token of the upstream is sent in the clear: MOONBASE_UPSTREAM_URL begins with http:']
      : []),
  ];
}
