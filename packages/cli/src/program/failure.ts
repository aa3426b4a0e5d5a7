import { HubApiError } from '@moonbase/client/errors';

/** The command was called in a way that cannot work; nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked for was not done, for a reason that is a sentence. */
export class FailedError extends Error {
  override readonly name = 'FailedError';
  readonly kind: Kind;

  constructor(message: string, kind: Kind = 'failed') {
    super(message);
    this.kind = kind;
  }
}

type Kind = 'failed' | 'not-found';

/** The exit statuses of the command. 130 is the shell's, for what was interrupted. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  forbidden: 3,
  notFound: 4,
  unavailable: 5,
} as const;

/** What is printed, and the exit status. */
export interface Failure {
  readonly lines: readonly string[];
  readonly status: (typeof EXIT)[keyof typeof EXIT];
}

/** Tells a person what went wrong; undefined for what must not happen. */
export function failureOf(error: unknown, hubUrl: string | undefined): Failure | undefined {
  if (error instanceof UsageError) return { lines: [error.message], status: EXIT.usage };
  if (error instanceof FailedError)
    return { lines: [error.message], status: error.kind === 'not-found' ? EXIT.notFound : EXIT.failed };
  if (error instanceof HubApiError) return { lines: refusalLines(error), status: statusOf(error) };
  // The client refuses names that no path can hold before anything is sent.
  if (error instanceof TypeError && error.message.startsWith('`'))
    return { lines: [error.message], status: EXIT.usage };
  if (isNetworkFailure(error)) return { lines: unreachableLines(error, hubUrl), status: EXIT.unavailable };
  return undefined;
}

function statusOf({ status }: HubApiError): Failure['status'] {
  if (status === 401 || status === 403) return EXIT.forbidden;
  if (status === 404) return EXIT.notFound;
  // What answers a success that is no JSON is no hub.
  return status === 429 || status >= 500 || status < 400 ? EXIT.unavailable : EXIT.failed;
}

/** `body.users.0.name` as `users[0].name`, the way it is written in a document. */
export function documentPath(path: string): string {
  return path
    .replace(/^body(\.|$)/, '')
    .replace(/(^|\.)(\d+)(?=\.|$)/g, '[$2]')
    .replace(/^$/, 'document');
}

function refusalLines(error: HubApiError): string[] {
  const issues = error.issues.map(({ path, message }) => `  ${documentPath(path)}: ${message}`);
  const [first] = error.issues;
  // The hub's sentence for an invalid body is its first issue, which is listed below anyway.
  const repeats = first !== undefined && error.message === `${first.path}: ${first.message}`;
  const count = issues.length === 1 ? 'one fault' : `${issues.length} faults`;
  const lines = [repeats ? `The hub refused it for ${count}, nothing was changed:` : error.message, ...issues];
  if (error.status === 401) lines.push('Sign in with `moonbase login`, or set MOONBASE_TOKEN.');
  if (error.retryAfter !== undefined) lines.push(`Try again in ${error.retryAfter} seconds.`);
  if (error.status >= 500 && error.requestId) lines.push(`Its log has this under the request id ${error.requestId}.`);
  return lines;
}

function unreachableLines(error: TypeError, hubUrl: string | undefined): string[] {
  const { code } = error.cause as { code?: unknown };
  return [
    `No hub answers at ${hubUrl}${typeof code === 'string' ? ` (${code})` : ''}.`,
    'Start one with `moonbase serve`, or name another with --url or MOONBASE_URL.',
  ];
}

/** `fetch` rejects so when it gets no answer, or loses it half way. */
export function isNetworkFailure(error: unknown): error is TypeError {
  return error instanceof TypeError && typeof error.cause === 'object' && error.cause !== null;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
};

/** Why a file cannot be used. */
export function reasonOf(error: unknown): string {
  const { code = '', message = 'it failed' } = error as { code?: string; message?: string };
  return REASONS[code] ?? message;
}
