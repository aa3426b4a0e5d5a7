import type { ErrorCode } from '@moonbase/contract/errors';

export interface Issue {
  /** Dotted, from the part of the request: `body.watched.0.name`. */
  readonly path: string;
  readonly message: string;
}

interface Extra {
  readonly code?: ErrorCode;
  readonly issues?: readonly Issue[];
  /** Further fields of the body, such as `url` of what exists already. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is not a success: its message is for the caller to read. Thrown anywhere, rendered once. */
export class HubError extends Error {
  override name = 'HubError';
  readonly status: number;
  readonly extra: Extra;

  constructor(status: number, message: string, extra: Extra = {}) {
    super(message);
    this.status = status;
    this.extra = extra;
  }
}

export const badRequest = (message: string, issues?: readonly Issue[]) =>
  new HubError(400, message, issues ? { issues } : {});
export const unauthorized = (message: string) =>
  new HubError(401, message, { headers: { 'www-authenticate': 'Bearer' } });
export const planTooLow = (message: string) => new HubError(402, message);
export const forbidden = (message: string) => new HubError(403, message);
export const notFound = (message: string, code?: ErrorCode) => new HubError(404, message, code ? { code } : {});
export const conflict = (message: string, fields?: Readonly<Record<string, unknown>>) =>
  new HubError(409, message, fields ? { fields } : {});

/** The one message for a repository that is not there or not to be seen (W§2.2, code `RepoNotFound`). */
export const repoNotFound = () => notFound('Repository not found', 'RepoNotFound');
