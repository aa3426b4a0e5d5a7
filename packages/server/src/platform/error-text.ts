/** Tokens, and what follows the origin of a URL. */
const withoutSecrets = (text: string): string =>
  text
    .replace(/\b(hf|whsec)_[\w+/=-]+/g, '$1_…')
    .replace(/\bBearer [^\s"',]+/gi, 'Bearer …')
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@]*@)?([^\s/?#"'<>]+)[^\s"'<>]*/gi, '$1$2');

/** Of PostgreSQL for what it cannot take as a value: its message quotes that. */
const REFUSED_VALUE = /^22[0-9A-Z]{3}$/;

const codeOf = (error: Error): string | undefined =>
  'code' in error && (typeof error.code === 'string' || typeof error.code === 'number')
    ? String(error.code)
    : undefined;

/** What an error says, without what may be secret or what somebody wrote. */
function messageOf(error: Error): string {
  if (error instanceof SyntaxError) return 'a stored text could not be parsed';
  const code = codeOf(error);
  return code !== undefined && REFUSED_VALUE.test(code)
    ? `the database refused a value (${code})`
    : withoutSecrets(error.message);
}

/** The name of an error and what it says. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${messageOf(error)}` : 'Something other than an error was thrown';

const MAX_CAUSES = 5;

/** An error as it is logged: where it came from, and nothing that drivers add, such as the rows that were refused. */
export function errorForLog(error: unknown, depth = 0): object | undefined {
  if (!(error instanceof Error)) return { message: errorText(error) };
  const code = codeOf(error);
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    type: error.name,
    message: messageOf(error),
    ...(code !== undefined && { code }),
    stack: [errorText(error), ...frames].join('\n'),
    ...(error.cause instanceof Error && depth < MAX_CAUSES && { cause: errorForLog(error.cause, depth + 1) }),
  };
}
