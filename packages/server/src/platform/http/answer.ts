import type { Readable } from 'node:stream';
import { EMBEDDABLE } from './server/security-headers.ts';

/** A response body that is sent unchanged instead of being serialized as JSON: text, bytes, a stream, or nothing. */
export class RawBody {
  readonly value: string | Uint8Array | Readable | undefined;

  constructor(value: string | Uint8Array | Readable | undefined) {
    this.value = value;
  }
}

/** Response headers by name; a list becomes several headers of the same name. */
type AnswerHeaders = Readonly<Record<string, string | string[]>>;

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: AnswerHeaders;
  /** If the client accepts no byte of a streamed body for this many milliseconds, its connection is closed. */
  readonly stallMs?: number;
}

/** A response that needs more than JSON with the declared status: headers, a redirect, a picture. */
export class Answer<T> {
  readonly status: number | undefined;
  readonly headers: AnswerHeaders;
  readonly body: T | RawBody;
  readonly stallMs: number | undefined;

  constructor(body: T | RawBody, options: AnswerOptions = {}) {
    this.body = body;
    this.status = options.status;
    this.stallMs = options.stallMs;
    this.headers = options.headers ?? {};
  }
}

/** Returns a response whose body is sent unchanged: text, bytes, a stream, or nothing. */
export const rawAnswer = (value: RawBody['value'], options: AnswerOptions = {}): Answer<never> =>
  new Answer<never>(new RawBody(value), options);

/**
 * Redirects to a picture, which caches may keep for five minutes; characters that are invalid in a header are
 * percent-encoded.
 */
export const redirectTo = (url: string): Answer<never> =>
  rawAnswer(undefined, {
    status: 302,
    headers: {
      ...EMBEDDABLE,
      location: new URL(url).href,
      'cache-control': 'public, max-age=300',
      vary: 'Sec-Fetch-Dest',
    },
  });
