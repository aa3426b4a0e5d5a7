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

const matched = new WeakMap<IncomingMessage, MatchedRoute>();

/** Notes the route of a request for `routeOf`. */
export const setRoute = (request: IncomingMessage, route: MatchedRoute): void => void matched.set(request, route);

/** The path of the framework's routes that serve all matched requests; a path of a plugin's route goes before it. */
export const EVERYTHING = '*';

/** Returns the route of a request, or undefined if there is none or if a plugin of the framework serves the request. */
export const routeOf = ({ raw, routeOptions }: FastifyRequest): MatchedRoute | undefined =>
  routeOptions.url === EVERYTHING ? matched.get(raw) : undefined;
