import type { ErrorCode } from '@moonbase/contract/errors';

export interface Issue {
  /** The dotted path of the invalid value, beginning with the part of the request: `body.watched.0.name`. */
  readonly path: string;
  readonly message: string;
}

interface Extra {
  readonly code?: ErrorCode;
  readonly issues?: readonly Issue[];
  /** Additional fields of the body, such as the `url` of an existing object. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response whose message is written for the caller. Any code may throw the error; the server renders it. */
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

/** Returns error 429 with the seconds to wait in the message and in `Retry-After`. */
export const tooManyRequests = (message: string, seconds: number) =>
  new HubError(429, `${message}; try again in ${seconds} s`, { headers: { 'retry-after': String(seconds) } });
export const badRequest = (message: string, issues?: readonly Issue[]) =>
  new HubError(400, message, issues ? { issues } : {});
export const unauthorized = (message: string, code?: ErrorCode) =>
  new HubError(401, message, { headers: { 'www-authenticate': 'Bearer' }, ...(code && { code }) });
export const planTooLow = (message: string) => new HubError(402, message);
export const forbidden = (message: string) => new HubError(403, message);
export const notFound = (message: string, code?: ErrorCode) => new HubError(404, message, code ? { code } : {});
export const conflict = (message: string, fields?: Readonly<Record<string, unknown>>) =>
  new HubError(409, message, fields ? { fields } : {});
