import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { codeOf } from '../../error-text.ts';
import { NO_TRACES, type Traces } from '../../tracing/traces.ts';
import { badRequest, HubError } from '../errors.ts';
import { jsonBoundsFault } from '../json/bounds.ts';
import { knownFault } from '../known-faults.ts';
import { preferredType, type ResponseFormat } from '../response-format.ts';
import { routeOf } from '../routing/matched-route.ts';
import type { AccessLog } from './access-log.ts';
import { limitBodies } from './body-deadlines.ts';
import { closeGracefully } from './close-gracefully.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection-limits.ts';
import { answerPreflights, CROSS_ORIGIN } from './cross-origin.ts';
import { requireDirect } from './direct-requests.ts';
import { requireOneHost, toOriginForm } from './one-host.ts';
import { securityHeaders } from './security-headers.ts';
import { traceRequests } from './trace-requests.ts';
import { answerUnreadable } from './unreadable.ts';

const MAX_BODY_BYTES = 1024 * 1024;
/** The maximum number of JSON values in a body: more than the ids of the longest list that fits into the body limit. */
const MAX_VALUES = 60_000;

/** A kind of body that may be larger than the default limit, on the routes that accept it. */
export interface LargeBody {
  /** How error messages call the body: `a document`. */
  readonly name: string;
  readonly mebibytes: number;
  readonly maxValues: number;
}

export interface HttpOptions {
  readonly logger: FastifyBaseLogger;
  /** Proxies whose `X-Forwarded-*` headers are trusted, as CIDR. */
  readonly trustedProxies: readonly string[];
  /** Accepts only direct requests from this machine, as development mode requires. */
  readonly localOnly: boolean;
  readonly responseFormats: readonly ResponseFormat[];
  /** The public URL that the operator configured. */
  readonly publicUrl: string | undefined;
  readonly connectionLimits?: Partial<ConnectionLimits> | undefined;
  /** Returns whether the hub will close soon. */
  readonly isShuttingDown: () => boolean;
  readonly traces?: Traces | undefined;
  readonly largeBody?: LargeBody | undefined;
  readonly accessLog?: AccessLog | undefined;
  /** Called for every response with the id of its route (or `none`), its status and its duration in seconds. */
  readonly onResponse?: ((operation: string, status: number, seconds: number) => void) | undefined;
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

function formatOf(formats: readonly ResponseFormat[], url: string): ResponseFormat | undefined {
  const path = pathOf(url);
  return formats.find(({ speaks }) => speaks(path));
}

const compilesNothing = (): never => {
  throw new Error('Routes have no schemas of the framework');
};

/** Routes check their input themselves, so the framework need not load its compilers of schemas. */
const NO_COMPILERS = { buildValidator: () => compilesNothing, buildSerializer: () => compilesNothing };

/**
 * Creates the HTTP server with everything that applies to all requests: ids, errors, CORS, JSON. Hooks that wait for nothing
 * take a callback, because a promise for each hook of each request costs more than most hooks do.
 */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const connections = { ...CONNECTION_LIMITS, ...options.connectionLimits };
  // In development mode only the hub's own pages may call, which need no leave of another origin.
  const protection = securityHeaders(options.publicUrl);
  const always = { ...protection, ...(options.localOnly ? {} : CROSS_ORIGIN) };
  const app = Fastify({
    http: { headersTimeout: connections.headersMs, connectionsCheckingInterval: connections.checkMs },
    // Streamed bodies have no deadline; `limitBodies` sets one for all others.
    requestTimeout: 0,
    keepAliveTimeout: connections.keepAliveMs,
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // The hub names the request in the lines that it writes itself, so that no request needs a logger of its own.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    rewriteUrl: ({ url = '/' }) => toOriginForm(url),
    genReqId: (request) => requestId(request.headers['x-request-id'], request.headers['x-amzn-trace-id']),
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler: answerUnreadable(protection, (...answered) => options.accessLog?.unreadable(...answered)),
    forceCloseConnections: true,
    return503OnClosing: false,
    schemaController: { compilersFactory: NO_COMPILERS },
    // Errors of the router are rendered here, because no hook runs for them.
    frameworkErrors: (error, request, reply) => {
      options.accessLog?.begin(request, reply);
      // The framework's type omits generics of the route, which nothing here uses.
      void sendError((reply as FastifyReply).headers({ ...always, 'x-request-id': request.id }), error, options);
    },
  });
  app.server.maxConnections = connections.connections;
  acceptJson(app, options);
  limitBodies(app, connections.requestMs);
  // Runs before preflight requests are answered.
  app.addHook('onRequest', (request, reply, done) => {
    options.accessLog?.begin(request, reply);
    reply.headers(always).header('x-request-id', request.id);
    const format = formatOf(options.responseFormats, request.url);
    if (format) reply.type(`${preferredType(format, request.headers.accept)}; charset=utf-8`);
    requireOneHost(request.raw, request.originalUrl);
    if (options.localOnly) requireDirect(request);
    done();
  });
  if (!options.localOnly) answerPreflights(app);
  const { onResponse } = options;
  if (onResponse)
    app.addHook('onResponse', (request, reply, done) => {
      onResponse(routeOf(request)?.operation ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
      done();
    });
  traceRequests(app, options.traces ?? NO_TRACES);
  closeGracefully(app, options.isShuttingDown);
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url.includes('%00')) throw badRequest('The URL must not contain a NUL character');
    done();
  });
  app.setErrorHandler((error, _request, reply) => sendError(reply, error, options));
  return app;
}

/** Returns the given request id if it is safe to log, else a given trace id, else a new id. */
function requestId(...given: (string | string[] | undefined)[]): string {
  for (const id of given) if (id !== undefined && /^[\w.:=;-]{1,128}$/.test(String(id))) return String(id);
  return randomUUID();
}

/** Parses JSON bodies; an empty body counts as absent, whatever its type (W§1.0-7). */
function acceptJson(app: FastifyInstance, { responseFormats: formats, largeBody }: HttpOptions): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const types = ['application/json', ...formats.map(({ mediaType }) => mediaType)];
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(types, { parseAs: 'string' }, (request, body, done) => {
    const format = formats.find(({ mediaType }) =>
      request.headers['content-type']?.toLowerCase().startsWith(mediaType),
    );
    if (format && format !== formatOf(formats, request.url)) return done(wrongType(), undefined);
    const text = body.toString();
    if (text.trim() === '') return done(null, undefined);
    const large = request.routeOptions.bodyLimit > MAX_BODY_BYTES;
    const fault = jsonBoundsFault(text, large ? (largeBody?.maxValues ?? MAX_VALUES) : MAX_VALUES);
    if (fault !== undefined) return done(badRequest(fault), undefined);
    void parse(request, text, done);
  });
}

const UNEXPECTED_MESSAGE = 'Something went wrong on our side; the log has details under this request id';

/**
 * Sends an error with `X-Error-Message`, as `{error, issues?}` or in the response format of the path. Unexpected errors
 * are logged, and the response says nothing about them. A client that leaves while it is being answered is no error.
 */
function sendError(
  reply: FastifyReply,
  error: unknown,
  { logger, responseFormats, traces, largeBody }: HttpOptions,
): FastifyReply {
  const { id, method, url, headers: given } = reply.request;
  const route = routeOf(reply.request)?.path;
  const hubError = asHubError(error, largeBody) ?? new HubError(500, UNEXPECTED_MESSAGE);
  const hasLeft = reply.raw.destroyed && codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE';
  if (hubError.status === 500 && !hasLeft)
    logger.error({ err: error, requestId: id, method, route, traceparent: traces?.here() }, 'request failed');
  else if (!(error instanceof HubError) && hubError.status === 503)
    logger.warn({ reason: String(error), requestId: id, route }, 'the database, the disk or the bucket cannot be used');
  const format = formatOf(responseFormats, url);
  const inProtocol = format?.inProtocol?.(hubError, { path: pathOf(url), userAgent: given['user-agent'] });
  if (inProtocol) return reply.code(200).type(inProtocol.type).send(inProtocol.body);
  const { code, issues, fields, headers } = hubError.extra;
  return reply
    .code(hubError.status)
    .headers({
      'x-error-message': hubError.message.replace(/[^\x20-\x7e]+/g, '?').slice(0, 500),
      ...(code && { 'x-error-code': code }),
      ...headers,
      ...format?.errorHeaders?.(hubError),
      'content-type': `${format?.mediaType ?? 'application/json'}; charset=utf-8`,
    })
    .send(format ? format.errorBody(hubError) : { error: hubError.message, ...(issues && { issues }), ...fields });
}

const wrongType = () => new HubError(415, 'The body must be JSON: send `Content-Type: application/json`');

/** Returns the status that the framework gave an error. */
const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;

/** Translates errors of the database, the disk and the framework into errors with messages for callers. */
function asHubError(error: unknown, largeBody: LargeBody | undefined): HubError | undefined {
  const known = knownFault(error);
  if (known) return known;
  const statusCode = statusOf(error);
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return undefined;
  switch (statusCode) {
    case 413:
      return new HubError(413, `The body is too large: the limit is 1 MiB${exceptFor(largeBody)}`);
    case 415:
      return wrongType();
    default:
      return new HubError(statusCode, clientFault(error, codeOf(error)));
  }
}

const exceptFor = (large: LargeBody | undefined): string =>
  large === undefined ? '' : `, for ${large.name} ${large.mebibytes} MiB`;

function clientFault(error: unknown, code: string | undefined): string {
  if (code === 'FST_ERR_BAD_URL') return 'The URL is malformed';
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError) return 'The body is not valid JSON';
  return error instanceof Error ? error.message : 'Bad request';
}
