import { ErrorBody } from '@moonbase/contract/errors';
import { REPO_TYPE_SEGMENTS } from '@moonbase/contract/primitives';
import type { RouteDeclaration } from '@moonbase/contract/route';
import { allRoutes } from '@moonbase/contract/routes';

const patterns = allRoutes.map((route) => ({
  route,
  pattern: new RegExp(
    `^${route.path
      .replace('{repoType}', `(?:${REPO_TYPE_SEGMENTS.join('|')})`)
      .replace(/\{rev\}$/, '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  ),
}));

/** A path that says `search` or `buckets` goes before one where braces stand there, as in the router. */
function routeOf(method: string, path: string): RouteDeclaration | undefined {
  const fitting = patterns.filter(({ route, pattern }) => route.method === method && pattern.test(path));
  const literal = fitting.find(({ route }) => route.path === path);
  return (literal ?? fitting.find(({ route }) => !route.path.includes('{repoType}')) ?? fitting[0])?.route;
}

/** `fetch` that holds every answer against the contract and throws where they differ. */
export const contractFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const method = init?.method ?? 'GET';
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const where = `${method} ${pathname} answered ${answer.status}`;
  if (!answer.headers.get('x-request-id')) throw new Error(`${where} without X-Request-Id`);
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return answer;
  const body: unknown = await answer.clone().json();
  const route = routeOf(method, pathname);
  const declared = route?.answers[answer.status];
  if (answer.status >= 400 && !declared) {
    ErrorBody.parse(body);
    if (!answer.headers.get('x-error-message')) throw new Error(`${where} without X-Error-Message`);
    return answer;
  }
  if (!declared) throw new Error(`${where}, which the contract does not declare`);
  const result = declared.safeParse(body);
  if (!result.success) throw new Error(`${where} with another shape than the contract's: ${result.error.message}`);
  return answer;
};
