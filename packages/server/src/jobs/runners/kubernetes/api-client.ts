import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import type { Connection } from './connection.ts';

/** An error response of the API server. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    message: string,
    /** The wait that the server requests before the next try, in milliseconds. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(message);
  }
}

/** Resolves after a number of milliseconds; rejects if the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;
export const realPause: Pause = async (ms, signal) => {
  await setTimeout(ms, undefined, { signal });
};

export type Query = Readonly<Record<string, string | number | boolean>>;

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
}

export type ApiClient = ReturnType<typeof createApiClient>;

const ANSWER_MS = 30_000;
/** How long a watch or a log may be silent; the server ends a watch earlier. */
const SILENCE_MS = 10 * 60_000;
const MAX_TRIES = 5;
const MAX_WAIT_MS = 30_000;
/** The wait after a 429 that specifies none. */
const DEFAULT_WAIT_MS = 1000;

/** Calls the Kubernetes API; repeats calls that the server asks to repeat later. */
export function createApiClient(connection: Connection, pause: Pause = realPause) {
  const closing = new AbortController();
  const { ca, cert, key, servername, rejectUnauthorized = true } = connection.tls;
  const agent = new Agent({
    connect: {
      timeout: ANSWER_MS,
      rejectUnauthorized,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(servername !== undefined && { servername }),
    },
  });

  async function send({ method, path, query = {}, body }: Call, bodyTimeout: number, signal: AbortSignal) {
    const token = await connection.token();
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const answer = await request(`${connection.server}${path}${search.size > 0 ? `?${search.toString()}` : ''}`, {
      method,
      dispatcher: agent,
      headersTimeout: ANSWER_MS,
      bodyTimeout,
      signal,
      headers: {
        accept: 'application/json, */*',
        'user-agent': 'moonbase',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && {
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.statusCode >= 300) throw await errorOf(answer);
    return answer;
  }

  return {
    pause: (ms: number): Promise<void> => pause(ms, closing.signal),

    /**
     * Returns the JSON of a response, which has the type `T` according to the API documentation. Throws an `ApiError`.
     */
    async call<T>(call: Call): Promise<T> {
      for (let tries = 1; ; tries++) {
        try {
          const { body } = await send(call, ANSWER_MS, closing.signal);
          const answer: T = JSON.parse(await body.text());
          return answer;
        } catch (error) {
          if (!(error instanceof ApiError) || error.retryAfterMs === undefined || tries === MAX_TRIES) throw error;
          await pause(Math.min(error.retryAfterMs, MAX_WAIT_MS), closing.signal);
        }
      }
    },

    /** Returns the body of a streamed response; a slow reader slows the server down. */
    async stream(path: string, query: Query, signal: AbortSignal): Promise<Readable> {
      const either = AbortSignal.any([signal, closing.signal]);
      return (await send({ method: 'GET', path, query }, SILENCE_MS, either)).body;
    },

    /** Aborts every call. */
    async close(): Promise<void> {
      closing.abort();
      await agent.destroy();
    },
    signal: closing.signal,
  };
}

async function errorOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<ApiError> {
  const text = await body.text();
  const retryAfter = Number(headers['retry-after']);
  const requestedMs = headers['retry-after'] !== undefined && retryAfter >= 0 ? retryAfter * 1000 : undefined;
  const retryAfterMs =
    statusCode === 429 ? (requestedMs ?? DEFAULT_WAIT_MS) : statusCode >= 500 ? requestedMs : undefined;
  return new ApiError(statusCode, messageOf(text) ?? `The API server answered ${statusCode}`, retryAfterMs);
}

/** Returns the message of a `Status`, the object that the API sends with every error. */
function messageOf(text: string): string | undefined {
  try {
    const { message }: { message?: unknown } = JSON.parse(text);
    return typeof message === 'string' && message !== '' ? message.slice(0, 1000) : undefined;
  } catch {
    return undefined;
  }
}

export const isStatus = (error: unknown, ...statuses: readonly number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status);
