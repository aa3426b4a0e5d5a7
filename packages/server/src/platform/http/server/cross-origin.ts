import type { FastifyInstance } from 'fastify';

/** Response headers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  ...['Link', 'X-Request-Id', 'X-Error-Code', 'X-Error-Message'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After'],
  ...['X-Repo-Commit', 'X-Total-Count', 'ETag', 'Accept-Ranges', 'Content-Range', 'X-Linked-Size', 'X-Linked-ETag'],
];

/** The headers of every response that pages of any origin may read; none of them is ever sent with credentials. */
export const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
} as const;

/** Responds to preflight requests, by which browsers ask whether a page of another origin may send a request. */
export function answerPreflights(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS') return done();
    const wanted = request.headers['access-control-request-headers'];
    void reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
        vary: 'Access-Control-Request-Headers',
        // Safari waits for a body without it.
        'content-length': '0',
      })
      .send();
  });
}
