import { EMBEDDABLE } from './server/security-headers.ts';

/** An answer that is more than JSON with the declared status: headers, a redirect, a picture. */
export class Answer<T> {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: T;
  /** The body as text, where that was needed before. */
  readonly json: string | undefined;

  constructor(body: T, options: { status?: number; headers?: Readonly<Record<string, string>>; json?: string } = {}) {
    this.body = body;
    this.json = options.json;
    this.status = options.status;
    this.headers = options.headers ?? {};
  }
}

/** A redirect to a picture, which may be kept for five minutes; what a header cannot carry is percent-encoded. */
export const redirectTo = (url: string): Answer<never> =>
  new Answer(undefined as never, {
    status: 302,
    headers: {
      ...EMBEDDABLE,
      location: new URL(url).href,
      'cache-control': 'public, max-age=300',
      vary: 'Sec-Fetch-Dest',
    },
  });
