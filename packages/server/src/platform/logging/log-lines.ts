import type { DestinationStream } from 'pino';

/**
 * What JSON leaves as it is and terminals obey, or show as the end of a line or in another order: DEL, the C1 controls,
 * the separators of lines, and the marks of direction.
 */
const UNSAFE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Passes on lines of JSON, in which no text can end a line or reach a terminal. */
export const safeLines = (to: DestinationStream): DestinationStream => ({
  write: (line) => to.write(line.replace(UNSAFE, escaped)),
});

/** Passes on lines of JSON as text: time, level, role and process id, message, and the details as `name=value`. */
export const textLines = (to: DestinationStream): DestinationStream => ({
  write: (line) => to.write(textOf(line).replace(UNSAFE, escaped)),
});

interface LoggedError {
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** A line as `createLogger` writes it. */
interface LoggedLine {
  readonly level: string;
  readonly time: string;
  readonly pid: number;
  readonly role: string;
  readonly msg?: string;
  readonly err?: LoggedError;
  readonly [detail: string]: unknown;
}

function textOf(line: string): string {
  const fields: LoggedLine = JSON.parse(line);
  const { level, time, pid, role, msg = '', err, ...details } = fields;
  const head = `${time} ${level.toUpperCase().padEnd(5)} ${role}[${pid}] ${onOneLine(msg)}`;
  const pairs = Object.entries(details).map(([name, value]) => ` ${onOneLine(name)}=${valueText(value)}`);
  return `${head}${pairs.join('')}${err === undefined ? '' : errorLines(err, 'error')}\n`;
}

/** Returns a value without quotes if it is one plain word, else as JSON. */
const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:;/@{}*+-]+$/.test(value) ? value : JSON.stringify(value);

/** Returns the message of an error on the line, and its frames indented, so that none looks like a line of the log. */
function errorLines({ message, stack = '', cause }: LoggedError, name: string): string {
  const frames = stack.split('\n').filter((each) => /^\s+at /.test(each));
  const text = ` ${name}=${JSON.stringify(message)}${frames.map((frame) => `\n    ${onOneLine(frame.trim())}`).join('')}`;
  return cause === undefined ? text : `${text}\n   ${errorLines(cause, 'cause')}`;
}

const onOneLine = (text: string): string => text.replace(/\p{Cc}/gu, escaped);
