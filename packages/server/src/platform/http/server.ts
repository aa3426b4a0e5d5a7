import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { sqlFault } from '../database/sql-errors.ts';
import { closeGently } from './close-gently.ts';
import { badRequest, conflict, forbidden, HubError } from './errors.ts';
import { answerUnreadable } from './unreadable.ts';

const BODY_LIMIT = 1024 * 1024;
const PARAMETER_LIMIT = 1024;

export interface HttpOptions {
  readonly logger: FastifyBaseLogger;
  /** Addresses whose `X-Forwarded-*` headers count, as CIDR. */
  readonly trustedProxies: readonly string[];
  /** Only this machine may ask, and directly: what development mode demands. */
  readonly localOnly: boolean;
}

/** The HTTP server with what holds for every request: ids, errors, cross-origin rules, JSON in and out. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: (request) => requestId(request.headers['x-request-id'], request.headers['x-amzn-trace-id']),
    routerOptions: { maxParamLength: PARAMETER_LIMIT, ignoreTrailingSlash: true },
    clientErrorHandler: answerUnreadable,
    forceCloseConnections: true,
    return503OnClosing: false,
    // What the router refuses comes here before any hook has run.
    frameworkErrors: (error, request, reply) =>
      void sendError((reply as FastifyReply).header('x-request-id', request.id), error, options.logger),
  });
  acceptJson(app);
  // Before the cross-origin rules, which answer preflights themselves.
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  await app.register(cors, {
    origin: '*',
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['Link', 'X-Request-Id', 'X-Error-Code', 'X-Error-Message'],
  });
  closeGently(app);
  app.addHook('onRequest', async (request) => {
    if (options.localOnly) refuseForeign(request.headers);
    if (request.url.includes('%00')) throw badRequest('The URL must not contain a NUL character');
  });
  app.setErrorHandler((error, _request, reply) => sendError(reply, error, options.logger));
  return app;
}

/** A given request id that can stand in logs is kept; a trace id is taken where there is none. */
function requestId(...given: (string | string[] | undefined)[]): string {
  return given.map(String).find((id, at) => given[at] !== undefined && /^[\w.:=;-]{1,128}$/.test(id)) ?? randomUUID();
}

/** `\u0000` in JSON text, unless the backslash is itself escaped. */
const NUL_ESCAPE = /(?<!\\)(?:\\\\)*\\u0000/;

/** An empty body is none, whatever its type says (W§1.0-7); a NUL character is refused, as databases cannot hold it. */
function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text.trim() === '') return done(null, undefined);
    if (NUL_ESCAPE.test(text)) return done(badRequest('The body must not contain a NUL character'));
    void parse(request, text, done);
  });
}

const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Keeps web pages of other hosts (DNS rebinding) and unannounced proxies away from a hub without any protection. */
function refuseForeign(headers: Record<string, string | string[] | undefined>): void {
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'].some(
    (name) => headers[name],
  );
  if (!forwarded && LOCAL_HOST.test(String(headers.host ?? 'localhost'))) return;
  throw forbidden(
    'This hub is in development mode and answers to localhost only; set MOONBASE_PUBLIC_URL (and MOONBASE_TRUSTED_PROXIES) to serve others',
  );
}

const UNEXPECTED = 'Something went wrong on our side; the log has it under this request id';

/** Renders every error: `{error, issues?}` with `X-Error-Message`; what is unexpected shows nothing and is logged. */
function sendError(reply: FastifyReply, error: unknown, logger: FastifyBaseLogger): FastifyReply {
  const known = asHubError(error);
  if (!known) {
    const { id, method, routeOptions } = reply.request;
    logger.error({ err: error, requestId: id, method, route: routeOptions.url }, 'request failed');
    return reply.code(500).header('x-error-message', UNEXPECTED).send({ error: UNEXPECTED });
  }
  const { code, issues, fields, headers } = known.extra;
  return reply
    .code(known.status)
    .headers({
      'x-error-message': known.message.replace(/[^\x20-\x7e]+/g, '?').slice(0, 500),
      ...(code && { 'x-error-code': code }),
      ...headers,
    })
    .send({ error: known.message, ...(issues && { issues }), ...fields });
}

/** Errors of the framework in words of ours. */
function asHubError(error: unknown): HubError | undefined {
  if (error instanceof HubError) return error;
  if (sqlFault(error) === 'unique' || sqlFault(error) === 'foreign-key')
    return conflict('This is in conflict with another change made at the same time; try again');
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
      return new HubError(415, 'The body must be JSON: send `Content-Type: application/json`');
    default:
      return new HubError(statusCode, clientFault(error, code));
  }
}

function clientFault(error: unknown, code: string | undefined): string {
  if (code === 'FST_ERR_BAD_URL') return 'The URL is malformed';
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError) return 'The body is not valid JSON';
  return error instanceof Error ? error.message : 'Bad request';
}
