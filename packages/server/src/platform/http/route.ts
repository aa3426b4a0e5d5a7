import { Readable } from 'node:stream';
import type { RouteAnswer, RouteDeclaration, RouteInput } from '@moonbase/contract/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { atTime, type Clock } from '../clock.ts';
import { memoize } from '../memoize.ts';
import { parseUrl } from '../outbound/target-url.ts';
import type { Signals } from '../queue/signals.ts';
import { Answer, RawBody } from './answer.ts';
import {
  ANONYMOUS,
  type Authorize,
  type Caller,
  credentialExpiresAt,
  isAuthenticated,
  type ReadingCaller,
  type Visitor,
} from './authenticate.ts';
import { tokenIn } from './credential.ts';
import { badRequest, HubError, type Issue, unauthorized } from './errors.ts';
import { type EventSource, eventStream, type Watch } from './event-stream.ts';
import { explainIssue } from './input/explain-issue.ts';
import { hasLongList, type ParseResult, parseCooperatively, parsedBy } from './input/parse-cooperatively.ts';
import { bodyKindOf } from './routing/body-kinds.ts';
import type { Dispatch, Params } from './routing/dispatch.ts';
import { routeOf } from './routing/matched-route.ts';
import type { Admission } from './server/admission.ts';
import { streamedBody } from './streamed-body.ts';

/**
 * The input of a handler: the parsed request and the caller. Routes with authority `public` get a visitor instead of a
 * caller, and the principal of those that are `anonymous` may be nobody.
 */
export type RouteRequest<R extends RouteDeclaration> = RouteInput<R> & {
  readonly caller: R['authority'] extends 'public'
    ? Visitor
    : R extends { readonly anonymous: true }
      ? ReadingCaller
      : Caller;
  readonly header: (name: string) => string | undefined;
  /** The method of the request. Routes with method `GET` also receive `HEAD`. */
  readonly method: string;
};

type Result<R extends RouteDeclaration> = RouteAnswer<R> | Answer<RouteAnswer<R>>;

interface RouteOptions {
  readonly body?: z.ZodType;
  readonly bodyLimit?: number;
  /** Accepts the body of an HTML form as well and ignores it. */
  readonly form?: boolean;
}

export interface Routes {
  /**
   * Serves a declared route: authenticates, parses, authorizes, calls one verb of a service, and sends the response.
   */
  add<R extends RouteDeclaration>(
    declaration: R,
    handle: (request: RouteRequest<R>) => Result<R> | Promise<Result<R>>,
    options?: RouteOptions,
  ): void;
  /** Returns all declarations in the order in which they were added. */
  declared(): RouteDeclaration[];
  /** Returns the methods that routes declare for a path. */
  methodsOf(path: string): string[];
  /** Returns the caller as of now; throws 401 unless the credential is still valid. Streams call it repeatedly. */
  callerOf(request: { caller: Visitor }): Promise<Caller>;
  /**
   * Throws 401 for an unknown access token that a request has in its body; 429 if its address has sent too many, here or in
   * headers.
   */
  refuseToken(request: { caller: Visitor }, token: string): never;
  /** Responds with server-sent events, which end as soon as the caller's credential is no longer valid. */
  stream(request: { caller: Caller }, source: EventSource): Answer<never>;
  /** Returns a `Watch` that fires as soon as the caller's credential is no longer valid. */
  watch(request: { caller: Caller }): Watch;
}

/** A request that a handler refused, of a known caller or of a stranger. */
export interface FailedRequest {
  readonly caller: ReadingCaller;
  /** The id of the route. */
  readonly operation: string;
  /** The path as it is declared. */
  readonly path: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly header: (name: string) => string | undefined;
  readonly method: string;
}

interface Ports {
  readonly clock: Clock;
  readonly admission: Admission;
  readonly authorize: Authorize;
  /** Whether routes that are `anonymous` need no credentials. */
  readonly anonymousRead: boolean;
  /** Returns the 401 for a request without credentials, given the declared path of its route. */
  readonly credentialsNeeded: (path: string) => HubError;
  /** Returns the error for a request without credentials in place of one that a handler threw. */
  readonly errorForStrangers: (error: unknown, path: string) => unknown;
  /** Returns the error, or the answer, to respond with in place of an error that a handler threw. */
  readonly insteadOf: (error: unknown, request: FailedRequest) => Promise<unknown>;
  /** Signals the ids of users whose callers must be looked up again. */
  readonly callers: Signals;
  readonly publicUrl: string | undefined;
  /** Returns the configured base URL of the hub, given the base URL that the request used. */
  readonly hubUrl: (baseUrl: string) => string;
}

/** If the body of a request takes longer than this to arrive, the caller is looked up again. */
const MAX_CALLER_AGE_MS = 1_000;

export function createRoutes(dispatch: Dispatch, ports: Ports): Routes {
  const known: RouteDeclaration[] = [];
  const callers = new WeakMap<FastifyRequest, { readonly caller: ReadingCaller; readonly at: number }>();
  const requests = new WeakMap<Visitor, FastifyRequest>();

  async function identify(
    visitor: Visitor,
    request: FastifyRequest,
    findPrincipal: Admission['lookUp'],
  ): Promise<Caller> {
    const principal = await findPrincipal(request);
    if (principal) return { ...visitor, principal };
    const { authorization } = request.headers;
    // Clients look for this text, and report a wrong token only if there is no code.
    if (authorization !== undefined && tokenIn(authorization) !== undefined)
      throw unauthorized('Invalid credentials in Authorization header');
    throw ports.credentialsNeeded(routeOf(request)?.path ?? '');
  }

  /** Like `identify`, but admits requests without credentials to a route that is open to them. */
  function admit(
    { anonymous }: RouteDeclaration,
    visitor: Visitor,
    request: FastifyRequest,
    findPrincipal: Admission['lookUp'],
  ): ReadingCaller | Promise<ReadingCaller> {
    const isOpen = ports.anonymousRead && anonymous === true && !ports.admission.hasCredentials(request);
    return isOpen ? { ...visitor, principal: ANONYMOUS } : identify(visitor, request, findPrincipal);
  }

  async function noteCaller(route: RouteDeclaration, request: FastifyRequest): Promise<void> {
    const caller = await admit(route, visitorOf(request, ports), request, ports.admission.principalOf);
    callers.set(request, { caller, at: performance.now() });
  }

  async function callerOf({ caller }: { caller: Visitor }): Promise<Caller> {
    const request = requests.get(caller);
    if (!request) throw new Error('This needs the caller that a route was given');
    return identify(caller, request, ports.admission.lookUp);
  }

  /** Returns the caller of a request whose body has been read: looked up again if the body was slow. */
  function callerNow(
    route: RouteDeclaration,
    request: FastifyRequest,
  ): ReadingCaller | undefined | Promise<ReadingCaller> {
    const known = callers.get(request);
    if (!known || performance.now() - known.at < MAX_CALLER_AGE_MS) return known?.caller;
    return admit(route, known.caller, request, ports.admission.lookUp);
  }

  const watch =
    ({ caller }: { caller: Caller }): Watch =>
    (onEnd) => {
      const recheck = () => void callerOf({ caller }).catch(onEnd);
      const stopListening = ports.callers.listen(caller.principal.userId, recheck);
      const stopTimer = atTime(ports.clock, credentialExpiresAt(caller.principal), recheck);
      // Changes between the first look-up and `listen` were not signalled.
      recheck();
      return () => {
        stopListening();
        stopTimer();
      };
    };

  return {
    declared: () => known,
    methodsOf: (path) => dispatch.at(path).flatMap(({ method, operation }) => (operation === undefined ? [] : method)),
    callerOf,
    refuseToken({ caller }, token) {
      ports.admission.countUnknown(caller.address, token);
      throw unauthorized('The access token is invalid');
    },
    stream: (request, source) => eventStream(source, watch(request)),
    watch,
    add(declaration, handle, options = {}) {
      known.push(declaration);
      const status = Number(Object.keys(declaration.answers)[0] ?? 200);
      const bodySchema = options.body ?? declaration.body;
      dispatch.add({
        method: declaration.method,
        path: declaration.path,
        operation: declaration.id,
        body: bodyKindOf(declaration, options.form ?? false),
        bodyLimit: options.bodyLimit,
        /** Authenticates before the body is read, so that large bodies need a credential. */
        onRequest: (request) => (declaration.authority === 'public' ? undefined : noteCaller(declaration, request)),
        async handle(request, reply, params) {
          const known = await callerNow(declaration, request);
          const body = bodySchema && (await parseBody(bodySchema, request.body));
          const input = parse(declaration, params, body, request);
          if (known && isAuthenticated(known)) ports.authorize(known.principal, declaration.authority);
          const caller = known ?? visitorOf(request, ports);
          requests.set(caller, request);
          const header = (name: string) => request.headers[name]?.toString();
          // `parse` has built the input with the schemas of this declaration, and its authority decides whether the
          // caller is known.
          const given = { ...input, caller, header, method: request.method } as RouteRequest<typeof declaration>;
          try {
            const result = await handle(given);
            return result instanceof Answer ? send(reply, status, result) : reply.code(status).send(result);
          } catch (error) {
            const { id: operation, path } = declaration;
            if (!known) throw error;
            const { params, query, body } = input;
            const refused = { caller: known, operation, path, params, query, body, header, method: request.method };
            const fault = await ports.insteadOf(error, refused);
            if (fault instanceof Answer) return send(reply, status, fault);
            throw isAuthenticated(known) ? fault : ports.errorForStrangers(fault, path);
          }
        },
      });
    },
  };
}

/** Returns a base URL that may come from an unvalidated `Host` header; the empty text if it is malformed. */
const wellFormed = memoize(100, (baseUrl) => (parseUrl(baseUrl) ? baseUrl : ''));

function visitorOf(request: FastifyRequest, { publicUrl, hubUrl }: Ports): Visitor {
  const baseUrl = publicUrl ?? `${request.protocol}://${request.host}`;
  if (wellFormed(baseUrl) === '') throw badRequest('The Host header is malformed');
  return {
    baseUrl,
    hubUrl: hubUrl(baseUrl),
    url: baseUrl + request.url,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
  };
}

const STATUSES_WITHOUT_BODY = [204, 302, 304];

function send(reply: FastifyReply, status: number, answer: Answer<unknown>): FastifyReply {
  const body = answer.body instanceof RawBody ? answer.body.value : answer.body;
  const code = answer.status ?? status;
  reply.code(code).headers(answer.headers);
  if (body instanceof Readable) return sendStream(reply, body, answer.stallMs);
  if (body !== undefined || !STATUSES_WITHOUT_BODY.includes(code)) return reply.send(body ?? {});
  if (code === 302) reply.header('content-length', '0');
  return reply.removeHeader('content-type').send();
}

/** Sends a stream, or only its headers in response to HEAD. However the response ends, the stream is destroyed. */
function sendStream(reply: FastifyReply, body: Readable, stallMs: number | undefined): FastifyReply {
  if (reply.raw.destroyed || reply.request.method === 'HEAD') body.destroy();
  else reply.raw.once('close', () => body.destroy());
  if (reply.request.method === 'HEAD') return reply.send();
  if (stallMs !== undefined) reply.raw.setTimeout(stallMs, () => reply.raw.destroy());
  return reply.send(body);
}

/** Further issues of a request are not reported. */
const MAX_ISSUES = 1000;

const NO_BYTES = new Uint8Array();

/** Returns the body of a route that accepts bytes, complete or as a stream. */
function bytesOf({ rawBody }: RouteDeclaration, body: unknown): unknown {
  if (rawBody?.stream) return streamedBody(body instanceof Readable ? body : Readable.from([]));
  return body ?? NO_BYTES;
}

const PARSE_OPTIONS = { error: explainIssue };

/** Parses a body. An absent body counts as `{}`, whereas `null` is a value that no schema accepts. */
function parseBody(schema: z.ZodType, body: unknown = {}): ParseResult | Promise<ParseResult> {
  return hasLongList(body) ? parseCooperatively(schema, body, PARSE_OPTIONS) : parsedBy(schema, body, PARSE_OPTIONS);
}

function parse<R extends RouteDeclaration>(
  declaration: R,
  params: Params,
  body: ParseResult | undefined,
  request: FastifyRequest,
): RouteInput<R> {
  const given = '*' in params ? { ...params, rev: params['*'] } : params;
  const path = declaration.params && parsedBy(declaration.params, given, PARSE_OPTIONS);
  const query = declaration.query && parsedBy(declaration.query, request.query, PARSE_OPTIONS);
  if (path?.issues.length || query?.issues.length || body?.issues.length) throw invalid({ path, query, body });
  return {
    params: path?.data,
    query: query?.data,
    body: declaration.rawBody ? bytesOf(declaration, request.body) : body?.data,
    // The schemas of the declaration have produced these values.
  } as RouteInput<R>;
}

function invalid(parts: Readonly<Record<string, ParseResult | undefined>>): HubError {
  const issues = Object.entries(parts).flatMap(([name, parsed]) =>
    (parsed?.issues ?? []).slice(0, MAX_ISSUES).map((issue) => issueOf(name, issue)),
  );
  return badRequest(`${issues[0]?.path}: ${issues[0]?.message}`, issues);
}

const issueOf = (part: string, issue: z.core.$ZodIssue): Issue => ({
  path: [part, ...issue.path.map(String)].join('.'),
  message: issue.message,
});

/** Returns the error of a request that no route matches: 405 with `Allow` if the path exists, otherwise 404. */
export function unknownRoute(routes: Routes, method: string, path: string): HubError {
  const allowed = [
    ...new Set(routes.methodsOf(path).flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]))),
  ];
  if (allowed.length === 0) return new HubError(404, 'There is nothing at this path; /docs lists all paths');
  return new HubError(405, `${method} is not supported here; allowed: ${allowed.join(', ')}`, {
    headers: { allow: allowed.join(', ') },
  });
}
