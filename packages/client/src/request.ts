import type { RouteDeclaration } from '@moonbase/contract/route';
import { errorOf, notAHub } from './errors.ts';
import type { Operation, SuccessAnswer, UrlValue } from './operation.ts';
import { type Retry, sleep, waitBeforeRetry } from './retry.ts';

/** The parameters that all functions share. */
export interface Hub {
  /** The address of the hub, as in `http://127.0.0.1:7780`; it may contain a path. */
  readonly hubUrl: string;
  /** The access token, `hf_…`; without one, only public operations succeed. */
  readonly accessToken?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How requests are retried when the hub is too busy (429, and for reads 503); false disables retries. */
  readonly retry?: Retry | false | undefined;
}

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Target {
  readonly path: string;
  readonly params?: Readonly<Record<string, UrlValue | undefined>>;
  /** A list is sent as one parameter per value. */
  readonly query?: Readonly<Record<string, UrlValue | readonly string[] | undefined>>;
}

/** Calls an operation. Returns the response; throws a `HubApiError` for an unsuccessful one. */
export async function call<R extends RouteDeclaration>(hub: Hub, operation: Operation<R>): Promise<SuccessAnswer<R>> {
  const { method, body, rawBody }: HubRequest = operation;
  const url = urlOf(hub, operation);
  return answerOf<SuccessAnswer<R>>(await send(hub, url, { method, body, rawBody }), url);
}

export interface HubRequest {
  readonly method: string;
  /** The body, sent as JSON. */
  readonly body?: unknown;
  /** The body, sent unchanged with the media type of the blob. */
  readonly rawBody?: Blob | undefined;
  /** Returns the bytes to send; called for each attempt. */
  readonly stream?: (() => ReadableStream<Uint8Array>) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether 303 is the success, so that the page it names is not requested. */
  readonly expectsRedirect?: boolean;
}

/** Sends a request, retrying if the hub is too busy. Throws a `HubApiError` for an unsuccessful response. */
export async function send(hub: Hub, url: string, request: HubRequest): Promise<Response> {
  const { retry, signal } = hub;
  for (let attempt = 0; ; attempt++) {
    const response = await sendOnce(hub, url, request);
    if (response.ok || (request.expectsRedirect && isSeeOther(response))) return response;
    const { method } = request;
    const wait = retry === false ? undefined : waitBeforeRetry(response, { method, attempt }, retry);
    if (wait === undefined) throw await errorOf(response, withoutQuery(url));
    await response.body?.cancel();
    await ((retry || undefined)?.sleep ?? sleep)(wait, signal);
  }
}

/** Browsers hide the status of a redirect that is not followed. */
const isSeeOther = ({ status, type }: Response): boolean => status === 303 || type === 'opaqueredirect';

/** Sends a request once; the only function that calls `fetch`. */
function sendOnce(hub: Hub, url: string, request: HubRequest): Promise<Response> {
  const { fetch: injected, accessToken, signal } = hub;
  const { method, body, rawBody, stream, headers, expectsRedirect } = request;
  // Browsers refuse to call `fetch` as a method of another object.
  const fetchOnce: Fetch = injected ?? fetch;
  return fetchOnce(url, {
    method,
    headers: {
      ...(accessToken && { Authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(rawBody && { body: rawBody }),
    // `fetch` requires `duplex` for a stream, even though the response may arrive before the stream ends.
    ...(stream && { body: stream(), duplex: 'half' }),
    ...(signal && { signal }),
    ...(expectsRedirect && { redirect: 'manual' }),
  }).catch(throwWithRemedy);
}

/** What Node.js says about a certificate of an authority that it does not know. */
const UNTRUSTED = /self-signed|unable to (get|verify)/;

/** Throws an error of `fetch`, with how to trust the certificate of the hub where that is the fault. */
function throwWithRemedy(error: unknown): never {
  if (error instanceof TypeError && UNTRUSTED.test(String(error.cause)))
    error.message += ': name the authority of the certificate by NODE_EXTRA_CA_CERTS';
  throw error;
}

/** Returns the JSON of a successful response, which has the type that the route declares; undefined for 204. */
export async function answerOf<T>(response: Response, url: string): Promise<T> {
  try {
    const answer: T = response.status === 204 ? undefined : JSON.parse(await response.text());
    return answer;
  } catch (error) {
    if (error instanceof SyntaxError) throw notAHub(response, withoutQuery(url));
    throw error;
  }
}

/** Returns the URL of an operation. Throws a `TypeError` for a path parameter that a URL cannot contain. */
export function urlOf({ hubUrl }: Hub, { path, params = {}, query = {} }: Target): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
  const given = Object.entries(query).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  const search = new URLSearchParams(given).toString();
  return hubUrl.replace(/\/+$/, '') + filled + (search && `?${search}`);
}

/** Encodes a path segment; refuses `.` and `..`, which URLs drop, so that a request would reach another operation. */
function segment(name: string, value: UrlValue | undefined): string {
  if (value === undefined || /^\.{0,2}$/.test(String(value)))
    throw new TypeError(`\`${name}\` must be a name, not "${value}"`);
  return encodeURIComponent(value);
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');
