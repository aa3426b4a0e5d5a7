import { HubApiError } from '@moonbase/client/errors';
import { DamagedFileError } from '@moonbase/client/files';
import { tlsRemedy } from './tls-remedy.ts';

/** Thrown for wrong usage; nothing has been sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Thrown if a command failed; the message is a sentence with the reason. */
export class FailedError extends Error {
  override readonly name = 'FailedError';
  readonly kind: Kind;

  constructor(message: string, kind: Kind = 'failed') {
    super(message);
    this.kind = kind;
  }
}

type Kind = 'failed' | 'not-found';

/** The exit statuses of the command; the shell uses 130 for an interrupted command. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  forbidden: 3,
  notFound: 4,
  unavailable: 5,
} as const;

/** The output lines and the exit status of a failed command. */
export interface Failure {
  readonly lines: readonly string[];
  readonly status: (typeof EXIT)[keyof typeof EXIT];
}

/** Returns the failure that an error represents; undefined for a bug in the program itself. */
export function failureOf(error: unknown, hubUrl: string | undefined): Failure | undefined {
  if (error instanceof UsageError) return { lines: [error.message], status: EXIT.usage };
  if (error instanceof FailedError)
    return { lines: [error.message], status: error.kind === 'not-found' ? EXIT.notFound : EXIT.failed };
  if (error instanceof HubApiError) return { lines: refusalLines(error), status: statusOf(error) };
  if (error instanceof DamagedFileError) return { lines: [`${error.message}.`], status: EXIT.failed };
  // The client rejects names that cannot be part of a path before it sends a request.
  if (error instanceof TypeError && error.message.startsWith('`'))
    return { lines: [error.message], status: EXIT.usage };
  if (isNetworkFailure(error)) return { lines: unreachableLines(error, hubUrl), status: EXIT.unavailable };
  return undefined;
}

function statusOf({ status }: HubApiError): Failure['status'] {
  if (status === 401 || status === 403) return EXIT.forbidden;
  if (status === 404) return EXIT.notFound;
  // A successful response that is not JSON does not come from a hub.
  return status === 429 || status >= 500 || status < 400 ? EXIT.unavailable : EXIT.failed;
}

/** Converts the path `body.users.0.name` to `users[0].name`. */
export function documentPath(path: string): string {
  return path
    .replace(/^body(\.|$)/, '')
    .replace(/(^|\.)(\d+)(?=\.|$)/g, '[$2]')
    .replace(/^$/, 'document');
}

function refusalLines(error: HubApiError): string[] {
  const issues = error.issues.map(({ path, message }) => `  ${documentPath(path)}: ${message}`);
  const [first] = error.issues;
  // For an invalid body, the hub's message repeats its first issue, which is listed anyway.
  const repeats = first !== undefined && error.message === `${first.path}: ${first.message}`;
  const count = issues.length === 1 ? 'one error' : `${issues.length} errors`;
  const lines = [
    repeats ? `The hub rejected the request because of ${count}; nothing was changed:` : error.message,
    ...issues,
  ];
  if (error.status === 401) lines.push('Sign in with `moonbase login`, or set MOONBASE_TOKEN.');
  if (error.retryAfter !== undefined) lines.push(`Try again in ${error.retryAfter} seconds.`);
  if (error.status >= 500 && error.requestId)
    lines.push(`The log of the hub has details under the request id ${error.requestId}.`);
  return lines;
}

function unreachableLines(error: TypeError, hubUrl: string | undefined): string[] {
  const code = codeOf(error.cause);
  const remedy = tlsRemedy(code, hubUrl);
  if (remedy !== undefined) return [`The hub at ${hubUrl} cannot be used over TLS (${code}).`, remedy];
  return [
    `No hub responds at ${hubUrl}${code === undefined ? '' : ` (${code})`}.`,
    'Start one with `moonbase serve`, or name another one with --url or MOONBASE_URL.',
  ];
}

/** Returns whether `fetch` failed because it received no response, or only part of one. */
export function isNetworkFailure(error: unknown): error is TypeError {
  return error instanceof TypeError && typeof error.cause === 'object' && error.cause !== null;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  ENOTDIR: 'a part of its path is a file',
  ENOSPC: 'the disk is full',
  ELOOP: 'it is a link',
};

/** Returns why a file or folder cannot be used. */
export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error) ?? ''] ?? (error instanceof Error ? error.message : 'it failed');
}

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
