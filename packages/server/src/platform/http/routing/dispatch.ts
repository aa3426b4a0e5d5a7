import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { HubError } from '../errors.ts';
import { acceptBodies } from './body-kinds.ts';
import { EVERYTHING, type MatchedRoute, setRoute } from './matched-route.ts';
import { MAX_PARAMETER_LENGTH, METHODS, type RouteTable, routeTable, type TableEntry } from './route-table.ts';

export type Params = Readonly<Record<string, string | undefined>>;

/** A route with its handler. */
export interface Served extends TableEntry, MatchedRoute {
  /** The maximum size of the body in bytes, absent for the limit of the server. */
  readonly bodyLimit?: number | undefined;
  /** Called before the body is read; undefined if there is nothing to wait for. */
  readonly onRequest?: (request: FastifyRequest) => Promise<void> | undefined;
  readonly handle: (request: FastifyRequest, reply: FastifyReply, params: Params) => unknown;
}

export interface Dispatch {
  add(route: Served): void;
  /** Returns the routes of all methods that a path has. */
  at(path: string): Served[];
}

/** The constraint of the framework's router by which a request reaches the scope that reads its kind of body. */
const SCOPE = 'scope';
const TOO_LONG = 'too-long';

/**
 * Finds the handlers of requests in one table that all hubs of a process share, because registering hundreds of routes
 * with the framework takes longer than everything else that a start does. The framework knows one route for each kind
 * of body.
 */
export function createDispatch(app: FastifyInstance): Dispatch {
  const served: Served[] = [];
  const scopes = new Set<string>();
  const found = new WeakMap<IncomingMessage, { readonly route: Served; readonly params: Params }>();
  let table: RouteTable | undefined;

  const tableNow = (): RouteTable => (table ??= routeTable(served));

  function scopeOf(request: IncomingMessage): string | undefined {
    const match = tableNow().find(request.method ?? '', request.url ?? '');
    if (match === 'too-long') return TOO_LONG;
    const route = match && served[match.index];
    if (!route) return undefined;
    found.set(request, { route, params: match.params });
    setRoute(request, route);
    return scopeName(route);
  }

  // The first request need not wait for the table, and routes that exclude each other fail at the start.
  app.addHook('onReady', async () => void tableNow());
  app.addConstraintStrategy({ name: SCOPE, storage: () => new Map(), deriveConstraint: scopeOf });
  app.route({
    ...everythingIn(TOO_LONG),
    async onRequest() {
      throw tooLong();
    },
    handler() {
      throw tooLong();
    },
  });

  function open(name: string, { body, bodyLimit }: Served): void {
    const route: RouteOptions = {
      ...everythingIn(name),
      ...(bodyLimit !== undefined && { bodyLimit }),
      onRequest(request, _reply, done) {
        const admission = found.get(request.raw)?.route.onRequest?.(request);
        if (admission) admission.then(() => done(), done);
        else done();
      },
      handler(request, reply) {
        const match = found.get(request.raw);
        return match?.route.handle(request, reply, match.params);
      },
    };
    if (body === 'json') return void app.route(route);
    app.register(async (scope) => {
      acceptBodies(scope, body);
      scope.route(route);
    });
  }

  return {
    add(route) {
      served.push(route);
      table = undefined;
      const name = scopeName(route);
      if (scopes.has(name)) return;
      scopes.add(name);
      open(name, route);
    },
    at: (path) =>
      tableNow()
        .at(path)
        .flatMap((index) => served[index] ?? []),
  };
}

const scopeName = ({ body, bodyLimit }: Served): string => `${body}:${bodyLimit ?? ''}`;

/**
 * Returns the part of a route that makes it serve all requests of a scope. `HEAD` is among them because the framework would
 * otherwise add it with a hook that counts the bytes of a body and drains streams.
 */
const everythingIn = (scope: string) => ({
  method: [...METHODS, 'HEAD'],
  url: EVERYTHING,
  constraints: { [SCOPE]: scope },
});

const tooLong = () =>
  new HubError(414, `The URL is too long: at most ${MAX_PARAMETER_LENGTH} characters are allowed between two slashes`);
