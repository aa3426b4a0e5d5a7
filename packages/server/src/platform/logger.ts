import { type DestinationStream, pino } from 'pino';
import { errorForLog } from './error-text.ts';

/** The logger of workers. Callers never pass payloads or secrets to it, and logged errors are cleaned of both. */
export interface Logger {
  error(details: object, message: string): void;
}

export interface WarningLogger extends Logger {
  warn(details: object, message: string): void;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Logs one JSON object per line, to standard error unless told otherwise. */
export const createLogger = (level: LogLevel, to: DestinationStream = pino.destination(2)): pino.Logger =>
  pino({ level, base: null, serializers: { err: (error: unknown) => errorForLog(error) } }, to);
