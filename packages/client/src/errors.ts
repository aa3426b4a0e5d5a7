import type { ErrorBody } from '@moonbase/contract/errors';
import { askedWait } from './retry.ts';

/** One fault of a refused request: where (`body.watched.0.name`), and what is wrong. */
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
 * The hub refused a request, or what answered is not a hub. A request that got no answer at all rejects with the error
 * of `fetch` itself.
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
  /** HTTP status of the answer. */
  readonly status: number;
  /** What was asked, without its query. */
  readonly url: string;
  /** `X-Error-Code`, as in `RepoNotFound`. */
  readonly code: string | undefined;
  /** `X-Request-Id`: the request's name in the hub's log. */
  readonly requestId: string | undefined;
  /** Seconds after which the hub has room again, where it says so (429, 503). */
  readonly retryAfter: number | undefined;
  /** Each fault of an invalid request; empty where the hub named none. */
  readonly issues: readonly Issue[];
  /** What else the body holds, such as `url` and `id` of the thing that exists already (409). */
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

/** The error of an answer that is none of success. A body that is not the hub's, as a proxy's page, is left out. */
export async function errorOf(response: Response, url: string): Promise<HubApiError> {
  const { error, issues, ...fields } = asObject(await response.json().catch(() => undefined));
  // `detail`: of errors of SCIM (RFC 7644, 3.12).
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

/** The error of a success that is not JSON: most likely `hubUrl` leads to something else. */
export function notAHub(response: Response, url: string): HubApiError {
  return new HubApiError(`The answer of ${url} is not JSON; is it the address of a hub?`, aboutAnswer(response, url));
}

function aboutAnswer({ status, headers }: Response, url: string) {
  const code = headers.get('x-error-code') ?? undefined;
  const wait = askedWait(headers, Date.now());
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
