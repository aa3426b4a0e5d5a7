import { inSources } from './logging/source-lines.ts';

/** Removes tokens, and everything after the host in URLs. */
const withoutSecrets = (text: string): string =>
  text
    .replace(/\b(hf|whsec)_[\w+/=-]+/g, '$1_…')
    .replace(/\bBearer [^\s"',]+/gi, 'Bearer …')
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@]*@)?([^\s/?#"'<>]+)[^\s"'<>]*/gi, '$1$2');

/** PostgreSQL's codes for invalid values (class 22), whose messages quote the value. */
const REFUSED_VALUE = /^22[0-9A-Z]{3}$/;

/** Returns the `code` of an error as Node.js and drivers set it. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && (typeof error.code === 'string' || typeof error.code === 'number')
    ? String(error.code)
    : undefined;

/** Returns the message of an error without secrets or user content. */
function messageOf(error: Error): string {
  if (error instanceof SyntaxError) return 'a stored text could not be parsed';
  const code = codeOf(error);
  return code !== undefined && REFUSED_VALUE.test(code)
    ? `the database refused a value (${code})`
    : withoutSecrets(error.message);
}

/** Returns the name and the cleaned message of an error. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${messageOf(error)}` : 'Something other than an error was thrown';

const MAX_CAUSES = 5;

/**
 * Returns an error for the log: type, message, code and stack, without properties that drivers add, such as rejected
 * rows.
 */
export function errorForLog(error: unknown, depth = 0): object | undefined {
  if (!(error instanceof Error)) return { message: errorText(error) };
  const code = codeOf(error);
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    type: error.name,
    message: messageOf(error),
    ...(code !== undefined && { code }),
    stack: [errorText(error), inSources(frames.join('\n'))].join('\n'),
    ...(error.cause instanceof Error && depth < MAX_CAUSES && { cause: errorForLog(error.cause, depth + 1) }),
  };
}
