import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { BodyKind } from './body-kinds.ts';

/** The route that serves a request. */
export interface MatchedRoute {
  /** The path as it is declared; paths of requests would not do for limits and logs, because one has many spellings. */
  readonly path: string;
  /** The id of the operation, absent for pages. */
  readonly operation?: string;
  readonly body: BodyKind;
}

interface Match {
  readonly route: MatchedRoute;
  /** Whether the route serves the request, as opposed to a plugin of the framework; undefined until somebody asks. */
  serves: boolean | undefined;
}

const matched = new WeakMap<IncomingMessage, Match>();

/** Notes the route of a request for `routeOf`. */
export const setRoute = (request: IncomingMessage, route: MatchedRoute): void =>
  void matched.set(request, { route, serves: undefined });

/** The path of the framework's routes that serve all matched requests; a path of a plugin's route goes before it. */
export const EVERYTHING = '*';

/** Returns the route of a request, or undefined if there is none or if a plugin of the framework serves the request. */
export function routeOf(request: FastifyRequest): MatchedRoute | undefined {
  const match = matched.get(request.raw);
  // The framework puts the options of a route together each time.
  if (match) match.serves ??= request.routeOptions.url === EVERYTHING;
  return match?.serves ? match.route : undefined;
}
