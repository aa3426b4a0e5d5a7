import { isatty } from 'node:tty';
import { type DestinationStream, pino } from 'pino';
import { errorForLog } from './error-text.ts';
import { safeLines, textLines } from './logging/log-lines.ts';

/** The logger of workers. Callers never pass payloads or secrets to it, and logged errors are cleaned of both. */
export interface Logger {
  error(details: object, message: string): void;
}

export interface WarningLogger extends Logger {
  warn(details: object, message: string): void;
}

export interface InformingLogger extends WarningLogger {
  info(details: object, message: string): void;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ['text', 'json'] as const;
type LogFormat = (typeof LOG_FORMATS)[number];

interface LogOptions {
  readonly level: LogLevel;
  /** Undefined: text on a terminal, JSON elsewhere. */
  readonly format?: LogFormat | undefined;
  /** The role of the process among those of its hub, or the name of a command. */
  readonly role: string;
  readonly to?: DestinationStream;
}

const STANDARD_ERROR = 2;

/**
 * Logs one line per event, to standard error unless told otherwise: level, ISO time, process id, role, the details and
 * `msg`, in this order.
 */
export function createLogger({ level, format, role, to = pino.destination(STANDARD_ERROR) }: LogOptions): pino.Logger {
  const isText = (format ?? (isatty(STANDARD_ERROR) ? 'text' : 'json')) === 'text';
  return pino(
    {
      level,
      base: { pid: process.pid, role },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => errorForLog(error) },
    },
    isText ? textLines(to) : safeLines(to),
  );
}
