import { type DestinationStream, pino } from 'pino';
import { errorForLog } from './error-text.ts';

/** What workers log with. Payloads and secrets are never passed to it, and errors lose what they quote of them. */
export interface Logger {
  error(details: object, message: string): void;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One JSON object a line, on standard error. */
export const createLogger = (level: LogLevel, to: DestinationStream = pino.destination(2)): pino.Logger =>
  pino({ level, base: null, serializers: { err: (error: unknown) => errorForLog(error) } }, to);
