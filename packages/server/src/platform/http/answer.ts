import type { Readable } from 'node:stream';
import { EMBEDDABLE } from './server/security-headers.ts';

/** A body that is sent as it is, and not made JSON: text, bytes, a stream, or none. */
export class RawBody {
  readonly value: string | Uint8Array | Readable | undefined;

  constructor(value: string | Uint8Array | Readable | undefined) {
    this.value = value;
  }
}

/** An answer that is more than JSON with the declared status: headers, a redirect, a picture. */
export class Answer<T> {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: T | RawBody;

  constructor(body: T | RawBody, options: { status?: number; headers?: Readonly<Record<string, string>> } = {}) {
    this.body = body;
    this.status = options.status;
    this.headers = options.headers ?? {};
  }
}

/** An answer that is sent as it is: text, bytes, a stream, or none. */
export const rawAnswer = (
  value: RawBody['value'],
  options: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Answer<never> => new Answer<never>(new RawBody(value), options);

/** A redirect to a picture, which may be kept for five minutes; what a header cannot carry is percent-encoded. */
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
