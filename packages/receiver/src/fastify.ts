import type { IncomingMessage, ServerResponse } from 'node:http';
import { createNodeHandler } from './node-server/handler.ts';
import type { Receiver } from './receiver.ts';

/** What is used of a Fastify instance. */
interface Fastify {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: never, payload: never, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  all(path: string, handler: (request: FastifyRequest, reply: Reply) => void): unknown;
}

interface FastifyRequest {
  readonly raw: IncomingMessage;
}

interface Reply {
  readonly raw: ServerResponse;
  hijack(): unknown;
}

/**
 * A plugin of Fastify. Bodies are read here, below the receiver's path only, as a signature covers their very bytes.
 *
 * ```ts
 * await app.register(createFastifyPlugin(receiver));
 * ```
 */
export function createFastifyPlugin(receiver: Receiver): (app: Fastify) => Promise<void> {
  const handle = createNodeHandler(receiver);
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const path of [receiver.path, `${receiver.path}/*`])
      app.all(path, (request, reply) => {
        reply.hijack();
        handle(request.raw, reply.raw);
      });
  };
}
