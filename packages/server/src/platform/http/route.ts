import { Readable } from 'node:stream';
import { REPO_TYPE_SEGMENTS } from '@moonbase/contract/primitives';
import type { RouteAnswer, RouteDeclaration, RouteInput } from '@moonbase/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions as FastifyRouteOptions } from 'fastify';
import type { z } from 'zod';
import { parseUrl } from '../outbound/target-url.ts';
import type { Signals } from '../queue/signals.ts';
import { Answer, RawBody } from './answer.ts';
import { type Authorize, bearerToken, type Caller, type Visitor } from './authenticate.ts';
import { badRequest, HubError, type Issue, unauthorized } from './errors.ts';
import { type EventSource, eventStream, type Watch } from './event-stream.ts';
import { explainIssue } from './explain-issue.ts';
import type { Admission } from './server/admission.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The id of the declared route. */
    operation?: string;
    /** Its path, as it is declared. */
    path?: string;
  }
}

/** What a handler gets: the parsed request, and who asks. Routes with authority `public` get a visitor only. */
export type RouteRequest<R extends RouteDeclaration> = RouteInput<R> & {
  readonly caller: R['authority'] extends 'public' ? Visitor : Caller;
  readonly header: (name: string) => string | undefined;
};

type Result<R extends RouteDeclaration> = RouteAnswer<R> | Answer<RouteAnswer<R>>;

interface RouteOptions {
  readonly body?: z.ZodType;
  readonly bodyLimit?: number;
  /** A body as HTML forms send it is taken, too, and not looked at. */
  readonly form?: boolean;
}

export interface Routes {
  /** Serves a declared route: authenticate, parse, authorize, one verb of a service, answer. */
  add<R extends RouteDeclaration>(
    declaration: R,
    handle: (request: RouteRequest<R>) => Result<R> | Promise<Result<R>>,
    options?: RouteOptions,
  ): void;
  /** Everything added so far, in order. */
  declared(): RouteDeclaration[];
  /** The methods that a path answers to. */
  methodsOf(path: string): string[];
  /** Throws 401 unless the request carries a token that is good now: also for streams, which ask again and again. */
  callerOf(request: { caller: Visitor }): Promise<Caller>;
  /** Answers server-sent events, which end as soon as the token of the caller is no longer good. */
  stream(request: { caller: Caller }, source: EventSource): Answer<never>;
  /** Calls back as soon as the token of the caller is no longer good. */
  watch(request: { caller: Caller }): Watch;
}

interface Ports {
  readonly admission: Admission;
  readonly authorize: Authorize;
  /** Told of users whose callers have to be looked up again. */
  readonly callers: Signals;
  readonly publicUrl: string | undefined;
  /** The address of the hub as the operator knows it, given how a caller reached it. */
  readonly hubUrl: (baseUrl: string) => string;
}

/** For so long what a token was before the body came counts once it is there. */
const KNOWN_FOR_MS = 1_000;

export function createRoutes(app: FastifyInstance, ports: Ports): Routes {
  const known: { route: RouteDeclaration; pattern: RegExp }[] = [];
  const callers = new WeakMap<FastifyRequest, { readonly caller: Caller; readonly at: number }>();
  const requests = new WeakMap<Visitor, FastifyRequest>();

  async function identify(visitor: Visitor, request: FastifyRequest, ask: Admission['lookUp']): Promise<Caller> {
    if (!bearerToken(request.headers.authorization))
      throw unauthorized('An access token is needed: send the header `Authorization: Bearer hf_...`');
    const principal = await ask(request);
    if (!principal) throw unauthorized('Invalid credentials in Authorization header');
    return { ...visitor, principal };
  }

  async function callerOf({ caller }: { caller: Visitor }): Promise<Caller> {
    const request = requests.get(caller);
    if (!request) throw new Error('This needs the caller that a route was given');
    return identify(caller, request, ports.admission.lookUp);
  }

  /** The caller of a request whose body is there: looked up again where it took its time to come. */
  async function callerNow(request: FastifyRequest): Promise<Caller | undefined> {
    const known = callers.get(request);
    if (!known || performance.now() - known.at < KNOWN_FOR_MS) return known?.caller;
    return identify(known.caller, request, ports.admission.lookUp);
  }

  const watch =
    ({ caller }: { caller: Caller }): Watch =>
    (end) => {
      const look = () => void callerOf({ caller }).catch(end);
      const stopListening = ports.callers.listen(caller.principal.userId, look);
      // What happened between the look-up of the request and now was told to nobody.
      look();
      return stopListening;
    };

  return {
    declared: () => known.map(({ route }) => route),
    methodsOf: (path) => known.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method),
    callerOf,
    stream: (request, source) => eventStream(source, watch(request)),
    watch,
    add(declaration, handle, options = {}) {
      known.push({ route: declaration, pattern: pathPattern(declaration.path) });
      const status = Number(Object.keys(declaration.answers)[0] ?? 200);
      const bodySchema = options.body ?? declaration.body;
      const route: FastifyRouteOptions = {
        method: declaration.method,
        url: routerPath(declaration.path),
        config: { operation: declaration.id, path: declaration.path },
        ...(options.bodyLimit && { bodyLimit: options.bodyLimit }),
        /** Before the body is read: nobody sends megabytes without a token. */
        async onRequest(request) {
          if (declaration.authority === 'public') return;
          const visitor = visitorOf(request, ports);
          const caller = await identify(visitor, request, ports.admission.principalOf);
          callers.set(request, { caller, at: performance.now() });
        },
        async handler(request, reply) {
          const known = await callerNow(request);
          const input = parse(declaration, bodySchema, request);
          if (known) ports.authorize(known.principal, declaration.authority);
          const caller = known ?? visitorOf(request, ports);
          requests.set(caller, request);
          const header = (name: string) => request.headers[name]?.toString();
          const result = await handle({ ...input, caller, header } as RouteRequest<typeof declaration>);
          return result instanceof Answer ? send(reply, status, result) : reply.code(status).send(result);
        },
      };
      const { rawBody } = declaration;
      if (!rawBody && !options.form) return void app.route(route);
      app.register(async (scope) => {
        if (rawBody) acceptBytes(scope);
        else acceptForms(scope);
        scope.route(route);
      });
    },
  };
}

/** Within a scope of its own, so that every other route takes JSON alone: bytes, whatever their type says. */
function acceptBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)(;|$)/;

/** Within a scope of its own, so that no other route takes forms. */
function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(FORM, { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
}

function visitorOf(request: FastifyRequest, { publicUrl, hubUrl }: Ports): Visitor {
  const baseUrl = publicUrl ?? `${request.protocol}://${request.host}`;
  if (!parseUrl(baseUrl)) throw badRequest('The Host header is malformed');
  return {
    baseUrl,
    hubUrl: hubUrl(baseUrl),
    url: baseUrl + request.url,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
  };
}

const WITHOUT_BODY = [204, 302, 304];

function send(reply: FastifyReply, status: number, answer: Answer<unknown>): FastifyReply {
  const body = answer.body instanceof RawBody ? answer.body.value : answer.body;
  // Also where nobody reads it: the answer to HEAD.
  if (body instanceof Readable) {
    if (reply.raw.destroyed) body.destroy();
    else reply.raw.once('close', () => body.destroy());
  }
  reply.code(answer.status ?? status).headers(answer.headers);
  if (body !== undefined || !WITHOUT_BODY.includes(answer.status ?? status)) return reply.send(body ?? {});
  return reply.removeHeader('content-type').send();
}

/** More faults in one body nobody reads. */
const MAX_ISSUES = 1000;

const NO_BYTES = new Uint8Array();

function parse<R extends RouteDeclaration>(
  declaration: R,
  bodySchema: z.ZodType | undefined,
  request: FastifyRequest,
): RouteInput<R> {
  const params = { ...(request.params as Record<string, string>) };
  if ('*' in params) params.rev = params['*'] ?? '';
  const parts = [
    ['path', declaration.params, params],
    ['query', declaration.query, request.query],
    // No body counts as `{}`; `null` is one, and none that is taken.
    ['body', bodySchema, request.body === undefined ? {} : request.body],
  ] as const;
  const issues: Issue[] = [];
  const [pathValue, query, body] = parts.map(([name, schema, value]) => {
    const result = schema?.safeParse(value, { error: explainIssue });
    if (result?.success === false)
      issues.push(...result.error.issues.slice(0, MAX_ISSUES).map((issue) => issueOf(name, issue)));
    return result?.data;
  });
  const [first] = issues;
  if (first) throw badRequest(`${first.path}: ${first.message}`, issues);
  // The schemas of the declaration have made these values.
  return { params: pathValue, query, body: declaration.rawBody ? (request.body ?? NO_BYTES) : body } as RouteInput<R>;
}

const issueOf = (part: string, issue: z.core.$ZodIssue): Issue => ({
  path: [part, ...issue.path.map(String)].join('.'),
  message: issue.message,
});

/** Declared path to the router's: `{name}` to `:name`, the repo type by its words, a last `{rev}` with its slashes. */
const routerPath = (path: string): string =>
  path
    .replace('{repoType}', `:repoType(^(?:${REPO_TYPE_SEGMENTS.join('|')})$)`)
    .replace(/\{rev\}$/, '*')
    .replace(/\{(\w+)\}/g, ':$1');

const pathPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace('{repoType}', `(?:${REPO_TYPE_SEGMENTS.join('|')})`)
      .replace(/\{rev\}$/, '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  );

/** The error of a request that no route takes: 405 with `Allow` where the path is known, otherwise 404. */
export function unknownRoute(routes: Routes, method: string, path: string): HubError {
  const allowed = [
    ...new Set(routes.methodsOf(path).flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]))),
  ];
  if (allowed.length === 0) return new HubError(404, 'There is nothing at this path; /docs lists what there is');
  return new HubError(405, `${method} is not possible here; allowed: ${allowed.join(', ')}`, {
    headers: { allow: allowed.join(', ') },
  });
}
