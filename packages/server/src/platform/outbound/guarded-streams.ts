import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { describeFailure, OutboundFailure } from './failure.ts';
import { guardedConnector, type Resolve } from './guarded-connector.ts';
import { createNameLookup } from './name-lookup.ts';
import { checkTarget } from './target-url.ts';

export interface StreamRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Ends the request, also while its response is read, with the reason of the signal. */
  readonly signal: AbortSignal;
}

/** A response whose body arrives while it is read. Disposing of it closes the connection unless the body was read to its end. */
export interface StreamedAnswer extends AsyncDisposable {
  readonly status: number;
  /** Returns a header, the first one of several. */
  header(name: string): string | undefined;
  /** The bytes as sent, without decoding a `content-encoding`. Throws an `OutboundFailure` if they break off or stall. */
  readonly body: AsyncIterable<Buffer>;
}

export interface GuardedStreams extends AsyncDisposable {
  /** Returns a response, which may be a redirect. Throws an `OutboundFailure` if there is none. */
  open(url: string, request: StreamRequest): Promise<StreamedAnswer>;
}

interface Options {
  readonly guard: AddressGuard;
  /** The guard of requests in the clear (default: `guard`). */
  readonly guardInTheClear?: AddressGuard;
  readonly resolve?: Resolve;
  /** The deadline for look-up, connection, TLS and headers. */
  readonly headersMs: number;
  /** The longest wait for the next bytes of a body. */
  readonly stallMs: number;
  /** The maximum number of connections to one origin. */
  readonly connections?: number;
  readonly onNameRefused?: ((host: string, reason: string) => void) | undefined;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS_PER_ORIGIN = 8;
const KEEP_ALIVE_MS = 4_000;
/** The minimum time until a name without a public address is refused, so that the time does not reveal the reason. */
const REFUSAL_MS = 1_000;

/**
 * Creates requests to servers that users name. They connect only to addresses that the guard admits, follow no redirects,
 * ignore proxy settings of the environment, and bound headers and time; the reader bounds the body.
 */
export function createGuardedStreams(options: Options): GuardedStreams {
  const { guard, guardInTheClear = guard, resolve = createNameLookup(), headersMs, stallMs, onNameRefused } = options;
  const { connections = MAX_CONNECTIONS_PER_ORIGIN } = options;
  const agentOf = (admitting: AddressGuard) =>
    new Agent({
      connect: guardedConnector({ guard: admitting, resolve, refusalMs: REFUSAL_MS, onNameRefused }),
      connections,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  const agents = { 'https:': agentOf(guard), 'http:': agentOf(guardInTheClear) };

  async function send(target: URL, request: StreamRequest, ending: AbortController): Promise<StreamedAnswer> {
    const failure = (error: unknown) => failureOf(error, target, request.signal);
    const agent = target.protocol === 'http:' ? agents['http:'] : agents['https:'];
    const { method, headers, body = null } = request;
    const answer = await within(headersMs, ending, () =>
      agent.request({
        ...{ origin: target.origin, path: target.pathname + target.search, signal: ending.signal },
        ...{ method, headers: { ...headers }, body },
      }),
    ).catch((error: unknown) => {
      throw failure(error);
    });
    const source: Readable = answer.body;
    // The reader gets the error from the iterator.
    source.on('error', () => {});
    return {
      status: answer.statusCode,
      header(name) {
        const value = answer.headers[name];
        return typeof value === 'string' ? value : value?.[0];
      },
      body: read(source, { stallMs, ending, failure }),
      async [Symbol.asyncDispose]() {
        source.destroy();
      },
    };
  }

  return {
    async open(url, request) {
      const target = checkTarget(url);
      if (typeof target === 'string') throw new OutboundFailure(target);
      request.signal.throwIfAborted();
      const ending = new AbortController();
      const end = () => ending.abort(request.signal.reason);
      request.signal.addEventListener('abort', end, { once: true });
      const release = () => request.signal.removeEventListener('abort', end);
      try {
        const answer = await send(target, request, ending);
        return {
          ...answer,
          async [Symbol.asyncDispose]() {
            release();
            await answer[Symbol.asyncDispose]();
          },
        };
      } catch (error) {
        release();
        throw error;
      }
    },

    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

/** Returns the reason of the caller's signal, or else a sentence about the failure. */
const failureOf = (error: unknown, { hostname }: URL, signal: AbortSignal): unknown =>
  signal.aborted ? signal.reason : new OutboundFailure(describeFailure(error, hostname));

interface Reading {
  readonly stallMs: number;
  readonly ending: AbortController;
  readonly failure: (error: unknown) => unknown;
}

/** Yields the bytes of a body. The time that the reader takes does not count as a stall. */
async function* read(source: Readable, { stallMs, ending, failure }: Reading): AsyncGenerator<Buffer, void> {
  const iterator: AsyncIterator<Buffer> = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await within(stallMs, ending, () => iterator.next());
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw failure(error);
  } finally {
    source.destroy();
  }
}

/** Waits for work, and ends it if it takes too long. */
async function within<T>(ms: number, ending: AbortController, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => ending.abort(new OutboundFailure(`Timed out after ${ms / 1000} s`)), ms);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
