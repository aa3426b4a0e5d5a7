import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Receiver } from '../receiver.ts';
import type { Hmac } from '../request.ts';
import { readBody } from './body.ts';

/**
 * A listener of a `node:http` server, and a middleware of Express and Connect: there, what is not below the receiver's
 * path goes to `next`.
 */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/** Of one call, where Web Crypto hands each one to a thread. */
const hmac: Hmac = (key, head, body) => createHmac('sha256', key).update(head).update(body).digest('base64');

/**
 * Serves a receiver with `node:http` or Express.
 *
 * ```ts
 * createServer(createNodeHandler(receiver)).listen(4000);
 * app.use(createNodeHandler(receiver));
 * ```
 */
export function createNodeHandler(receiver: Receiver): NodeHandler {
  return (request, response, next) => {
    const path = pathOf(request);
    if (next && !receiver.serves(path)) return next();
    const { method = 'GET', headers } = request;
    void receiver
      .receive({
        method: method === 'HEAD' ? 'GET' : method,
        path,
        header: (name) => {
          const value = headers[name];
          return typeof value === 'string' ? value : undefined;
        },
        body: (limit) => readBody(request, limit),
        hmac,
      })
      .then((answer) => {
        const length = Buffer.byteLength(answer.body);
        response.writeHead(answer.status, { ...answer.headers, 'content-length': length }).end(answer.body);
      });
  };
}

/** Express takes off `url` what it was mounted at, and keeps the whole in `originalUrl`. */
function pathOf(request: IncomingMessage & { readonly originalUrl?: string }): string {
  const url = request.originalUrl ?? request.url ?? '/';
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
