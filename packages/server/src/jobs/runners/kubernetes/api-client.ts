import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import type { Connection } from './connection.ts';

/** What the API server answered instead of what was asked for. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    message: string,
    /** How long it wants to be left alone, in milliseconds. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(message);
  }
}

/** Milliseconds; rejects when the signal aborts. */
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

/** A call is given up after so much silence; a watch and a log end by themselves before theirs. */
const ANSWER_MS = 30_000;
const SILENCE_MS = 10 * 60_000;
const TRIES = 5;
const MAX_WAIT_MS = 30_000;
/** Where it says that there is too much to do, and not for how long. */
const DEFAULT_WAIT_MS = 1000;

/** Calls of the Kubernetes API, as JSON. Whoever is told to come back later does. */
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

    /** The answer, parsed. Throws an `ApiError`. */
    async call<T>(call: Call): Promise<T> {
      for (let tries = 1; ; tries++) {
        try {
          const { body } = await send(call, ANSWER_MS, closing.signal);
          return (await body.json()) as T;
        } catch (error) {
          if (!(error instanceof ApiError) || error.retryAfterMs === undefined || tries === TRIES) throw error;
          await pause(Math.min(error.retryAfterMs, MAX_WAIT_MS), closing.signal);
        }
      }
    },

    /** An answer as it comes: whoever reads slowly slows its sender down. */
    async stream(path: string, query: Query, signal: AbortSignal): Promise<Readable> {
      const either = AbortSignal.any([signal, closing.signal]);
      return (await send({ method: 'GET', path, query }, SILENCE_MS, either)).body;
    },

    /** Ends every call. */
    async close(): Promise<void> {
      closing.abort();
      await agent.destroy();
    },
    signal: closing.signal,
  };
}

async function errorOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<ApiError> {
  const text = await body.text();
  const asked = Number(headers['retry-after']);
  const told = headers['retry-after'] !== undefined && asked >= 0 ? asked * 1000 : undefined;
  const retryAfterMs = statusCode === 429 ? (told ?? DEFAULT_WAIT_MS) : statusCode >= 500 ? told : undefined;
  return new ApiError(statusCode, messageOf(text) ?? `The API server answered ${statusCode}`, retryAfterMs);
}

/** Of a `Status`, which every error of the API is. */
function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' && message !== '' ? message.slice(0, 1000) : undefined;
  } catch {
    return undefined;
  }
}

export const isStatus = (error: unknown, ...statuses: readonly number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status);
