import type { ErrorBody } from '@moonbase/contract/errors';
import { requestedWaitMs } from './retry.ts';

/** A fault of a refused request: its path, as in `body.watched.0.name`, and a message. */
export type Issue = NonNullable<ErrorBody['issues']>[number];

interface Refusal {
  readonly status: number;
  readonly url: string;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Thrown if the hub refuses a request, or if a response does not come from a hub. Without any response, the call rejects
 * with the error of `fetch`.
 *
 * ```ts
 * try {
 *   await createRepo({ hubUrl, accessToken, repo: 'ada/model' });
 * } catch (error) {
 *   if (error instanceof HubApiError && error.status === 409) console.log('exists already:', error.fields.url);
 *   else throw error;
 * }
 * ```
 */
export class HubApiError extends Error {
  override readonly name = 'HubApiError';
  /** The HTTP status of the response. */
  readonly status: number;
  /** The URL of the request, without its query. */
  readonly url: string;
  /** The header `X-Error-Code`, for example `RepoNotFound`. */
  readonly code: string | undefined;
  /** The header `X-Request-Id`, by which the log of the hub identifies the request. */
  readonly requestId: string | undefined;
  /** How many seconds the hub asks to wait before another attempt (429, 503). */
  readonly retryAfter: number | undefined;
  /** The faults of an invalid request; empty if the hub named none. */
  readonly issues: readonly Issue[];
  /** The other fields of the body, such as `url` and `id` of a repository that already exists (409). */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(message: string, refusal: Refusal) {
    super(message);
    this.status = refusal.status;
    this.url = refusal.url;
    this.code = refusal.code;
    this.requestId = refusal.requestId;
    this.retryAfter = refusal.retryAfter;
    this.issues = refusal.issues ?? [];
    this.fields = refusal.fields ?? {};
  }
}

/** Returns the error for an unsuccessful response. A body that is not the hub's, such as a proxy's page, is ignored. */
export async function errorOf(response: Response, url: string): Promise<HubApiError> {
  const { error, issues, ...fields } = asObject(await response.json().catch(() => undefined));
  // SCIM errors have their message in `detail` (RFC 7644, 3.12).
  const sentence = error ?? fields.detail;
  const message =
    typeof sentence === 'string'
      ? sentence
      : (response.headers.get('x-error-message') ?? `${response.status} ${response.statusText}`.trim());
  return new HubApiError(message, {
    ...aboutAnswer(response, url),
    issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
    fields,
  });
}

/** Returns the error for a successful response that is not JSON: `hubUrl` is probably not the address of a hub. */
export function notAHub(response: Response, url: string): HubApiError {
  return new HubApiError(`The answer of ${url} is not JSON; is it the address of a hub?`, aboutAnswer(response, url));
}

function aboutAnswer({ status, headers }: Response, url: string) {
  const code = headers.get('x-error-code') ?? undefined;
  const wait = requestedWaitMs(headers, Date.now());
  return {
    ...{ status, url, code, requestId: headers.get('x-request-id') ?? undefined },
    retryAfter: wait === undefined ? undefined : Math.ceil(wait / 1000),
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = asObject(value);
  return typeof path === 'string' && typeof message === 'string';
}
