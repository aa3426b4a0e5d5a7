import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { codeOf } from '../../error-text.ts';
import { BlobError, type Bytes } from '../blob-store.ts';
import { queryOf, type S3Keys, signHeaders } from './signature.ts';

export interface S3Bucket extends S3Keys {
  /** For example `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Whether the bucket name is part of the path instead of the host name. */
  readonly pathStyle: boolean;
}

interface Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A function returns the body anew, so that the request can be repeated; a stream cannot be sent again. */
  readonly body?: string | Bytes | (() => Bytes);
  /** The SHA-256 of the body in hexadecimal, or `UNSIGNED_PAYLOAD`. */
  readonly payloadHash: string;
  /** The time limit for the headers of the response, if it is not the usual one. */
  readonly headersMs?: number;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Readable & { text(): Promise<string>; dump(): Promise<void> };
}

/** The SHA-256 of an empty body. */
export const NO_BODY = createHash('sha256').digest('hex');

export type S3Requests = ReturnType<typeof createS3Requests>;

const CONNECT_MS = 10_000;
/** The time limit for response headers: completing a multipart upload takes S3 a while. */
const HEADERS_MS = 120_000;
/** The time limit without a byte in either direction. */
const STALL_MS = 60_000;
const MAX_ATTEMPTS = 3;
const MAX_CONNECTIONS = 64;

/** Sends signed requests to one bucket. The operator chose its endpoint, which may be a private address. */
export function createS3Requests(bucket: S3Bucket, now: () => number) {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_MS },
    bodyTimeout: STALL_MS,
    connections: MAX_CONNECTIONS,
  });

  function urlOf(key: string, query: Readonly<Record<string, string>> = {}): URL {
    const url = new URL(bucket.endpoint);
    if (!bucket.pathStyle) url.hostname = `${bucket.bucket}.${url.hostname}`;
    const root = url.pathname.replace(/\/$/, '');
    url.pathname = bucket.pathStyle ? `${root}/${bucket.bucket}/${key}` : `${root}/${key}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  async function attempt({ method, key, query, headers = {}, payloadHash, ...call }: Call): Promise<S3Answer> {
    const url = urlOf(key, query);
    const body = typeof call.body === 'function' ? call.body() : call.body;
    const text = queryOf(url);
    const stalled = new AbortController();
    const { statusCode, ...answer } = await request(`${url.origin}${url.pathname}${text && `?${text}`}`, {
      method,
      dispatcher,
      headers: signHeaders(bucket, { method, url, headers }, payloadHash, now()),
      signal: stalled.signal,
      headersTimeout: call.headersMs ?? HEADERS_MS,
      body: typeof body === 'object' ? Readable.from(withStallTimeout(body, stalled)) : (body ?? null),
    });
    return { status: statusCode, headers: answer.headers, body: answer.body };
  }

  return {
    urlOf,
    bucketName: bucket.bucket,

    /** Returns a response with any status below 500; repeats requests whose body can be sent again. */
    async send(call: Call): Promise<S3Answer> {
      const attempts = typeof call.body === 'object' ? 1 : MAX_ATTEMPTS;
      for (let tries = 1; ; tries++) {
        try {
          const answer = await attempt(call);
          if (answer.status < 500) return answer;
          await answer.body.dump();
          throw new Error(`The bucket answered ${answer.status}`);
        } catch (error) {
          if (error instanceof BlobError) throw error;
          if (tries === attempts || isTimeout(error)) throw unavailable(error);
        }
      }
    },

    close: () => dispatcher.destroy(),
  };
}

/** Aborts a request if the bucket accepts no bytes for too long; the pace of the sender does not count. */
async function* withStallTimeout(bytes: Bytes, stalled: AbortController): AsyncGenerator<Uint8Array, void> {
  for await (const piece of bytes) {
    const timer = setTimeout(() => stalled.abort(new Error('The bucket takes no more bytes')), STALL_MS);
    yield piece;
    clearTimeout(timer);
  }
}

/** Whoever has waited this long does not wait for another attempt. */
const isTimeout = (error: unknown): boolean => codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT';

const unavailable = (cause: unknown) =>
  new BlobError('unavailable', 'The storage of large files is not responding; try again in a few seconds', {
    cause,
  });

/**
 * Throws unless a response has one of the statuses. The error code of the bucket goes to the log, not to the caller.
 */
export async function requireStatus(answer: S3Answer, ...statuses: readonly number[]): Promise<S3Answer> {
  if (statuses.includes(answer.status)) return answer;
  const text = await textOf(answer);
  throw unavailable(new Error(`The bucket answered ${answer.status} ${element(text, 'Code') ?? ''}`.trim()));
}

/** Returns the body of a response as text. Throws `unavailable` if the body breaks off. */
export const textOf = ({ body }: S3Answer): Promise<string> =>
  body.text().catch((error: unknown) => {
    throw unavailable(error);
  });

/** Passes the body of a response on. Throws `unavailable` if the body breaks off. */
export async function* bytesOf({ body }: S3Answer): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (error) {
    throw unavailable(error);
  }
}

/** Returns the text of the first element with a name in an XML response. */
export const element = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`)
    .exec(xml)?.[1]
    ?.replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
