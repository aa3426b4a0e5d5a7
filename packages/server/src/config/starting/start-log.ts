import type { Config } from '../../config.ts';
import { errorText } from '../../platform/error-text.ts';
import { createLogger } from '../../platform/logger.ts';
import { VERSION } from '../../platform/version.ts';

export type Log = ReturnType<typeof createLogger>;

/** Opens the log of a process, in the form of its settings. */
export const openLog = ({ logLevel: level, logFormat: format, role }: Config): Log =>
  createLogger({ level, format, role });

/** Tells the log what starts, and what of the settings an operator should know. */
export function logSettings(log: Log, { databaseUrl, dataDir, warnings, mail, anonymousRead }: Config): void {
  const place = databaseUrl === undefined ? { database: 'sqlite', dataDir } : { database: 'postgres' };
  log.info({ version: VERSION, node: process.version, ...place }, 'the hub starts');
  for (const warning of warnings) log.warn(warning);
  if (!mail) log.info('Mail is off: MOONBASE_SMTP_URL is not set');
  log.info(
    anonymousRead
      ? 'What is public can be read without a token: MOONBASE_ANONYMOUS_READ is on'
      : 'Nothing can be read without a token: MOONBASE_ANONYMOUS_READ is off',
  );
}

/** Tells the log why the process ends before it was told to, or not as it should. */
export const logFailure = (log: Log, error: unknown): void =>
  log.fatal({ reason: errorText(error) }, 'the hub could not start or stop');
