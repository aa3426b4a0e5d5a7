import type { FastifyInstance } from 'fastify';
import { routeOf } from '../routing/matched-route.ts';

/** Refuses requests whose bodies take longer than `requestMs`, except at routes that read them as streams. */
export function limitBodies(app: FastifyInstance, requestMs: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody && routeOf(request)?.body !== 'stream') {
      const error = Object.assign(new Error('The body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      const timer = setTimeout(() => app.server.emit('clientError', error, request.raw.socket), requestMs);
      request.raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    }
    done();
  });
}
