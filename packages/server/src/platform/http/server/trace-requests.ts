import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Traces } from '../../traces.ts';

/**
 * A span for each request of a declared route, under its name. Of the address only the pattern is told: paths and
 * queries may hold tokens.
 */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  if (!traces.on) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation, path } = request.routeOptions.config;
    if (operation === undefined || path === undefined) return done();
    spans.set(
      request,
      traces.begin(operation, {
        kind: 'server',
        parent: request.headers.traceparent?.toString(),
        attributes: {
          'http.request.method': request.method,
          'http.route': path,
          'moonbase.request.id': request.id,
        },
      }),
    );
    done();
  });
  // Only once the body is read, which happens in the context of its connection.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) traces.within(span, done);
    else done();
  });
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const failed = statusCode >= 500 ? String(statusCode) : undefined;
    spans.get(request)?.end({ 'http.response.status_code': statusCode }, failed);
    done();
  });
}
