import { isatty } from 'node:tty';
import { type DestinationStream, pino } from 'pino';
import { codeOf, errorForLog } from './error-text.ts';
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
/** If whoever reads the log stalls, so many characters wait; further lines are lost. */
const MAX_WAITING = 16 * 1024 * 1024;

/**
 * Writes in the background, and the rest at the end of the process. A line that cannot be written is lost with those that
 * wait, for example where a disk is full, and the next one is tried again.
 */
function standardError(): DestinationStream {
  function open() {
    const opened = pino.destination({ dest: STANDARD_ERROR, sync: false, minLength: 0, maxLength: MAX_WAITING });
    opened.on('error', (error: unknown) => {
      // The library writes nothing more once the reader is gone.
      if (codeOf(error) === 'EPIPE') return;
      opened.destroy();
      stream = open();
    });
    return opened;
  }
  let stream = open();
  return { write: (line) => void stream.write(line) };
}

/**
 * Logs one line per event, to standard error unless told otherwise: level, ISO time, process id, role, the details and
 * `msg`, in this order.
 */
export function createLogger({ level, format, role, to = standardError() }: LogOptions): pino.Logger {
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
