import { ErrorBody } from '@moonbase/contract/errors';
import { LFS_MEDIA_TYPE, LfsError } from '@moonbase/contract/large-files/lfs';
import type { RouteDeclaration } from '@moonbase/contract/route';
import { allRoutes } from '@moonbase/contract/routes';
import { SCIM_MEDIA_TYPE, ScimError } from '@moonbase/contract/scim/shapes';
import { routeTable } from '../src/platform/http/routing/route-table.ts';

const table = routeTable(allRoutes);

function routeOf(method: string, path: string): RouteDeclaration | undefined {
  const found = table.find(method, path);
  return typeof found === 'object' ? allRoutes[found.index] : undefined;
}

const LFS_PATHS = /^(\/[^/]+){2,3}\/info\/lfs\/|^\/api\/large-files\/[^/]+$/;
const SCIM_PATHS = /^\/api\/organizations\/[^/]+\/scim(-provisioning)?(\/|$)/;

/** A `fetch` that checks every response against the contract and throws if they differ. */
export const contractFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const method = init?.method ?? 'GET';
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  const where = `${method} ${pathname} answered ${answer.status}`;
  if (!answer.headers.get('x-request-id')) throw new Error(`${where} without X-Request-Id`);
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  if (!['application/json', SCIM_MEDIA_TYPE, LFS_MEDIA_TYPE].includes(type)) return answer;
  const body: unknown = await answer.clone().json();
  const route = routeOf(method, pathname);
  const declared = (type === route?.media?.type && route.media.answer) || route?.answers[answer.status];
  if ((answer.status >= 400 || answer.status === 307) && !route?.answers[answer.status]) {
    // The hub refuses a request with too large headers before it knows the path.
    const early = answer.status === 431;
    const isScim = SCIM_PATHS.test(pathname) && !early;
    const isLfs = LFS_PATHS.test(pathname) && !early;
    if (isScim !== (type === SCIM_MEDIA_TYPE)) throw new Error(`${where} as ${type}`);
    if (isLfs !== (type === LFS_MEDIA_TYPE)) throw new Error(`${where} as ${type}`);
    (isScim ? ScimError : isLfs ? LfsError : ErrorBody).parse(body);
    if (!answer.headers.get('x-error-message')) throw new Error(`${where} without X-Error-Message`);
    return answer;
  }
  // This answer has only some attributes of the resource.
  if (route?.media && (/attributes=/i.test(search) || pathname.endsWith('/.search'))) return answer;
  if (!declared) throw new Error(`${where}, which the contract does not declare`);
  const result = declared.safeParse(body);
  if (!result.success) throw new Error(`${where} with another shape than the contract's: ${result.error.message}`);
  return answer;
};
