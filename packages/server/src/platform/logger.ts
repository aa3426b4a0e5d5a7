import { pino } from 'pino';

/** What workers log with. Payloads and secrets are never passed to it. */
export interface Logger {
  error(details: object, message: string): void;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One JSON object a line, on standard error. */
export const createLogger = (level: LogLevel): pino.Logger => pino({ level, base: null }, pino.destination(2));
