import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Traces } from '../../tracing/traces.ts';
import { routeOf } from '../routing/matched-route.ts';

/**
 * Records a span for each request of a declared route, named after the route. The span has the pattern instead of the
 * URL, because paths and queries may contain tokens.
 */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  if (!traces.on) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation, path } = routeOf(request) ?? {};
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
  // The body is parsed in the async context of its connection, so the span becomes current only after that.
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
