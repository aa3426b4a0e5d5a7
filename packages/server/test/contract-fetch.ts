import { ErrorBody } from '@moonbase/contract/errors';
import { REPO_TYPE_SEGMENTS } from '@moonbase/contract/primitives';
import type { RouteDeclaration } from '@moonbase/contract/route';
import { allRoutes } from '@moonbase/contract/routes';
import { SCIM_MEDIA_TYPE, ScimError } from '@moonbase/contract/scim/shapes';

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

const SCIM_PATHS = /^\/api\/organizations\/[^/]+\/scim(-provisioning)?(\/|$)/;

/** `fetch` that holds every answer against the contract and throws where they differ. */
export const contractFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const method = init?.method ?? 'GET';
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  const where = `${method} ${pathname} answered ${answer.status}`;
  if (!answer.headers.get('x-request-id')) throw new Error(`${where} without X-Request-Id`);
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  if (!['application/json', SCIM_MEDIA_TYPE].includes(type)) return answer;
  const body: unknown = await answer.clone().json();
  const route = routeOf(method, pathname);
  const declared = (type === route?.media?.type && route.media.answer) || route?.answers[answer.status];
  if (answer.status >= 400 && !route?.answers[answer.status]) {
    // Headers that are too large are refused before the path is known.
    const isScim = SCIM_PATHS.test(pathname) && answer.status !== 431;
    if (isScim !== (type === SCIM_MEDIA_TYPE)) throw new Error(`${where} as ${type}`);
    (type === SCIM_MEDIA_TYPE ? ScimError : ErrorBody).parse(body);
    if (!answer.headers.get('x-error-message')) throw new Error(`${where} without X-Error-Message`);
    return answer;
  }
  // A part of the resource only.
  if (route?.media && (/attributes=/i.test(search) || pathname.endsWith('/.search'))) return answer;
  if (!declared) throw new Error(`${where}, which the contract does not declare`);
  const result = declared.safeParse(body);
  if (!result.success) throw new Error(`${where} with another shape than the contract's: ${result.error.message}`);
  return answer;
};
