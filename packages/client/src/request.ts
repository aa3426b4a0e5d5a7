import type { RouteDeclaration } from '@moonbase/contract/route';
import { errorOf, notAHub } from './errors.ts';
import type { Operation, SuccessAnswer, UrlValue } from './operation.ts';
import { type Retry, sleep, waitBeforeRetry } from './retry.ts';

/** What every function takes beside its own parameters. */
export interface Hub {
  /** Where the hub is, as in `http://127.0.0.1:7780`. A path in front of the API is kept. */
  readonly hubUrl: string;
  /** `hf_…`. Without one, only public operations succeed. */
  readonly accessToken?: string | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Gives up; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How a request is tried again that the hub had no room for (429, and 503 of what changes nothing); false: never. */
  readonly retry?: Retry | false | undefined;
}

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Target {
  readonly path: string;
  readonly params?: Readonly<Record<string, UrlValue | undefined>>;
  /** A list is sent as its name, repeated. */
  readonly query?: Readonly<Record<string, UrlValue | readonly string[] | undefined>>;
}

/** Calls one operation and gives its answer; throws a `HubApiError` for every answer but success. */
export async function call<R extends RouteDeclaration>(hub: Hub, operation: Operation<R>): Promise<SuccessAnswer<R>> {
  const { method, body, rawBody }: HubRequest = operation;
  const url = urlOf(hub, operation);
  return answerOf<R>(await send(hub, url, { method, body, rawBody }), url);
}

interface HubRequest {
  readonly method: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, with the type that a blob has. */
  readonly rawBody?: Blob | undefined;
}

/** Sends a request, again where the hub had no room for it. Throws a `HubApiError` for every answer but success. */
export async function send(hub: Hub, url: string, request: HubRequest): Promise<Response> {
  const { retry, signal } = hub;
  for (let attempt = 0; ; attempt++) {
    const response = await sendOnce(hub, url, request);
    if (response.ok) return response;
    const { method } = request;
    const wait = retry === false ? undefined : waitBeforeRetry(response, { method, attempt }, retry);
    if (wait === undefined) throw await errorOf(response, withoutQuery(url));
    await response.body?.cancel();
    await ((retry || undefined)?.sleep ?? sleep)(wait, signal);
  }
}

/** The only place that calls `fetch`. */
function sendOnce(hub: Hub, url: string, request: HubRequest): Promise<Response> {
  const { fetch: injected, accessToken, signal } = hub;
  const { method, body, rawBody } = request;
  // Taken off its object: a browser's fetch refuses to run as the method of another.
  const fetchOnce: Fetch = injected ?? fetch;
  return fetchOnce(url, {
    method,
    headers: {
      ...(accessToken && { Authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(rawBody && { body: rawBody }),
    ...(signal && { signal }),
  });
}

/** The JSON of a successful response, as the route declares it. */
export async function answerOf<R extends RouteDeclaration>(response: Response, url: string): Promise<SuccessAnswer<R>> {
  if (response.status === 204) return undefined as SuccessAnswer<R>;
  try {
    return (await response.json()) as SuccessAnswer<R>;
  } catch (error) {
    if (error instanceof SyntaxError) throw notAHub(response, withoutQuery(url));
    throw error;
  }
}

/** The address of an operation, its parameters percent-encoded. Throws a `TypeError` for one that no path can hold. */
export function urlOf({ hubUrl }: Hub, { path, params = {}, query = {} }: Target): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
  const given = Object.entries(query).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  const search = new URLSearchParams(given).toString();
  return hubUrl.replace(/\/+$/, '') + filled + (search && `?${search}`);
}

/** URLs drop the segments `.` and `..`, encoded or not: the request would reach another operation. */
function segment(name: string, value: UrlValue | undefined): string {
  if (value === undefined || /^\.{0,2}$/.test(String(value)))
    throw new TypeError(`\`${name}\` must be a name, not "${value}"`);
  return encodeURIComponent(value);
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');
