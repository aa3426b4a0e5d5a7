import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { type SqlFault, sqlFault } from '../../database/sql-errors.ts';
import { NO_TRACES, type Traces } from '../../traces.ts';
import { badRequest, conflict, HubError } from '../errors.ts';
import { jsonBoundsFault } from '../json/bounds.ts';
import { preferredType, type ResponseFormat } from '../response-format.ts';
import { closeGently } from './close-gently.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection-limits.ts';
import { requireDirect } from './direct-requests.ts';
import { originForm, requireOneHost } from './one-host.ts';
import { securityHeaders } from './security-headers.ts';
import { traceRequests } from './trace-requests.ts';
import { answerUnreadable } from './unreadable.ts';

const BODY_LIMIT = 1024 * 1024;
const PARAMETER_LIMIT = 1024;
/** In a body: more than the ids of the SCIM group with the most members that fits into one. */
const MAX_VALUES = 60_000;
/** In a hub document, about 60,000 users with a token each: what takes longer to check holds up everybody else. */
const MAX_VALUES_OF_DOCUMENTS = 500_000;

export interface HttpOptions {
  readonly logger: FastifyBaseLogger;
  /** Addresses whose `X-Forwarded-*` headers count, as CIDR. */
  readonly trustedProxies: readonly string[];
  /** Only this machine may ask, and directly: what development mode demands. */
  readonly localOnly: boolean;
  readonly responseFormats: readonly ResponseFormat[];
  /** Where the operator says that the hub is. */
  readonly publicUrl: string | undefined;
  readonly connectionLimits?: Partial<ConnectionLimits> | undefined;
  /** Whether it will close soon. */
  readonly isShuttingDown: () => boolean;
  readonly traces?: Traces | undefined;
  /** Told of every answer: the id of its route or `none`, its status, and how long it took. */
  readonly onResponse?: ((operation: string, status: number, seconds: number) => void) | undefined;
}

const dialectOf = (dialects: readonly ResponseFormat[], url: string): ResponseFormat | undefined =>
  dialects.find(({ speaks }) => speaks(url.split('?')[0] ?? ''));

/** The HTTP server with what holds for every request: ids, errors, cross-origin rules, JSON in and out. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const connections = { ...CONNECTION_LIMITS, ...options.connectionLimits };
  const protection = securityHeaders(options.publicUrl);
  const app = Fastify({
    http: { headersTimeout: connections.headersMs, connectionsCheckingInterval: connections.checkMs },
    requestTimeout: connections.requestMs,
    keepAliveTimeout: connections.keepAliveMs,
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    rewriteUrl: ({ url = '/' }) => originForm(url),
    genReqId: (request) => requestId(request.headers['x-request-id'], request.headers['x-amzn-trace-id']),
    routerOptions: { maxParamLength: PARAMETER_LIMIT, ignoreTrailingSlash: true },
    clientErrorHandler: answerUnreadable(protection),
    forceCloseConnections: true,
    return503OnClosing: false,
    // What the router refuses comes here before any hook has run.
    frameworkErrors: (error, request, reply) => {
      const crossOrigin = options.localOnly ? {} : { 'access-control-allow-origin': '*' };
      const headers = { ...protection, 'x-request-id': request.id, ...crossOrigin };
      void sendError((reply as FastifyReply).headers(headers), error, options);
    },
  });
  app.server.maxConnections = connections.connections;
  acceptJson(app, options.responseFormats);
  // Before the cross-origin rules, which answer preflights themselves.
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(protection).header('x-request-id', request.id);
    const dialect = dialectOf(options.responseFormats, request.url);
    if (dialect) reply.type(`${preferredType(dialect, request.headers.accept)}; charset=utf-8`);
    requireOneHost(request.raw, request.originalUrl);
    if (options.localOnly) requireDirect(request);
  });
  // In development mode the hub's own pages only, which need no leave.
  if (!options.localOnly)
    await app.register(cors, {
      origin: '*',
      strictPreflight: false,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: [...EXPOSED],
    });
  const { onResponse } = options;
  if (onResponse)
    // With a callback: no promise for every request.
    app.addHook('onResponse', ({ routeOptions: { config } }, reply, done) => {
      onResponse(config.operation ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
      done();
    });
  traceRequests(app, options.traces ?? NO_TRACES);
  closeGently(app, options.isShuttingDown);
  app.addHook('onRequest', async (request) => {
    if (request.url.includes('%00')) throw badRequest('The URL must not contain a NUL character');
  });
  app.setErrorHandler((error, _request, reply) => sendError(reply, error, options));
  return app;
}

/** What pages of other origins may read of an answer, beside its body. */
const EXPOSED = [
  ...['Link', 'X-Request-Id', 'X-Error-Code', 'X-Error-Message'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After'],
];

/** A given request id that can stand in logs is kept; a trace id is taken where there is none. */
function requestId(...given: (string | string[] | undefined)[]): string {
  return given.map(String).find((id, at) => given[at] !== undefined && /^[\w.:=;-]{1,128}$/.test(id)) ?? randomUUID();
}

/** An empty body is none, whatever its type says (W§1.0-7). */
function acceptJson(app: FastifyInstance, dialects: readonly ResponseFormat[]): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const types = ['application/json', ...dialects.map(({ mediaType }) => mediaType)];
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(types, { parseAs: 'string' }, (request, body, done) => {
    const dialect = dialects.find(({ mediaType }) =>
      request.headers['content-type']?.toLowerCase().startsWith(mediaType),
    );
    if (dialect && dialect !== dialectOf(dialects, request.url)) return done(wrongType(), undefined);
    const text = body.toString();
    if (text.trim() === '') return done(null, undefined);
    const large = request.routeOptions.bodyLimit > BODY_LIMIT;
    const fault = jsonBoundsFault(text, large ? MAX_VALUES_OF_DOCUMENTS : MAX_VALUES);
    if (fault !== undefined) return done(badRequest(fault), undefined);
    void parse(request, text, done);
  });
}

const UNEXPECTED = 'Something went wrong on our side; the log has it under this request id';

/**
 * Renders every error with `X-Error-Message`: as `{error, issues?}`, or as the dialect of the path has it. What is
 * unexpected shows nothing and is logged.
 */
function sendError(
  reply: FastifyReply,
  error: unknown,
  { logger, responseFormats, traces }: HttpOptions,
): FastifyReply {
  const { id, method, routeOptions, url } = reply.request;
  const known = asHubError(error) ?? new HubError(500, UNEXPECTED);
  if (known.status === 500)
    logger.error(
      { err: error, requestId: id, method, route: routeOptions.url, traceparent: traces?.here() },
      'request failed',
    );
  else if (!(error instanceof HubError) && known.status === 503)
    logger.warn({ reason: String(error), requestId: id, route: routeOptions.url }, 'the database cannot be used');
  const dialect = dialectOf(responseFormats, url);
  const { code, issues, fields, headers } = known.extra;
  return reply
    .code(known.status)
    .headers({
      'x-error-message': known.message.replace(/[^\x20-\x7e]+/g, '?').slice(0, 500),
      ...(code && { 'x-error-code': code }),
      ...headers,
      'content-type': `${dialect?.mediaType ?? 'application/json'}; charset=utf-8`,
    })
    .send(dialect ? dialect.errorBody(known) : { error: known.message, ...(issues && { issues }), ...fields });
}

/** A database that is restarted or fails over is back in seconds. */
const RETRY_AFTER_SECONDS = '2';
const UNAVAILABLE: Partial<Record<SqlFault, string>> = {
  full: 'The disk of the database is full: nothing can be changed until there is space again',
  'read-only': 'The database takes no changes just now; try again in a few seconds',
  unavailable: 'The database does not answer just now; try again in a few seconds',
};

const wrongType = () => new HubError(415, 'The body must be JSON: send `Content-Type: application/json`');

/** Errors of the framework in words of ours. */
function asHubError(error: unknown): HubError | undefined {
  if (error instanceof HubError) return error;
  const fault = sqlFault(error);
  if (fault === 'unique' || fault === 'foreign-key')
    return conflict('This is in conflict with another change made at the same time; try again');
  const sentence = UNAVAILABLE[fault];
  if (sentence !== undefined) return new HubError(503, sentence, { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return undefined;
  switch (statusCode) {
    case 413:
      return new HubError(413, 'The body is too large: 1 MiB is the most, for a hub document 64 MiB');
    case 414:
      return new HubError(
        414,
        `The URL is too long: at most ${PARAMETER_LIMIT} characters between two slashes are taken`,
      );
    case 415:
      return wrongType();
    default:
      return new HubError(statusCode, clientFault(error, code));
  }
}

function clientFault(error: unknown, code: string | undefined): string {
  if (code === 'FST_ERR_BAD_URL') return 'The URL is malformed';
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError) return 'The body is not valid JSON';
  return error instanceof Error ? error.message : 'Bad request';
}
