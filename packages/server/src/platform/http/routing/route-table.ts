import { REPO_TYPE_SEGMENTS } from '@moonbase/contract/primitives';
import findMyWay from 'find-my-way';
import { memoize } from '../../memoize.ts';

/** The maximum length of a parameter in a path, in characters. */
export const MAX_PARAMETER_LENGTH = 1024;

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type Method = (typeof METHODS)[number];

/** A route by its method and path: as declared, such as `/api/models/{namespace}/{repo}`, or as the router has it. */
export interface TableEntry {
  readonly method: Method;
  readonly path: string;
}

interface Found {
  /** The index of the route in the list that the table was made of. */
  readonly index: number;
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

export interface RouteTable {
  /** Returns the route of a request, whose URL may have a query. Routes with method `GET` also serve `HEAD`. */
  find(method: string, url: string): Found | 'too-long' | undefined;
  /** Returns the index of the route of each method that the path has. */
  at(path: string): number[];
}

/** Returns the table of a list of routes. Equal lists share one table, because making one takes long. */
export const routeTable = (routes: readonly TableEntry[]): RouteTable =>
  tableOf(routes.map(({ method, path }) => `${method} ${routerPath(path)}`).join('\n'));

const tableOf = memoize(8, (routes): RouteTable => {
  const router = findMyWay({
    maxParamLength: MAX_PARAMETER_LENGTH,
    ignoreTrailingSlash: true,
    // The framework parses the query.
    querystringParser: () => ({}),
    // Without this, a long parameter counts as an unknown path.
    onMaxParamLength: () => undefined,
  });
  for (const [index, route] of (routes === '' ? [] : routes.split('\n')).entries()) {
    const [method, path = ''] = route.split(' ');
    router.on(
      METHODS.filter((known) => known === method),
      path,
      () => undefined,
      { index },
    );
  }
  function find(method: string, url: string): Found | 'too-long' | undefined {
    const served = METHODS.find((known) => known === (method === 'HEAD' ? 'GET' : method));
    const found = served && router.find(served, url);
    if (!found) return undefined;
    // The router answers with its own handler, which has no store, if a parameter is too long.
    const store: { readonly index: number } | null = found.store;
    return store ? { index: store.index, params: found.params } : 'too-long';
  }
  return {
    find,
    at: (path) =>
      METHODS.map((method) => find(method, path)).flatMap((found) => (typeof found === 'object' ? [found.index] : [])),
  };
});

/**
 * Converts a declared path to the router's syntax: `{name}` to `:name`, `{repoType}` to its values, a final `{rev}` to
 * `*`.
 */
const routerPath = (path: string): string =>
  path
    .replace('{repoType}', `:repoType(^(?:${REPO_TYPE_SEGMENTS.join('|')})$)`)
    .replace(/\{rev\}$/, '*')
    .replace(/\{(\w+)\}/g, ':$1');
