import type * as routes from '@moonbase/contract/admin';
import type { Entry, RouteBody, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { HubReport, UserEntry } from '@moonbase/contract/admin';

/** The document that fills a hub, as it is sent: everything but names is optional. */
export type HubDocument = RouteBody<typeof routes.applyHub>;

/**
 * Brings a hub to what a document says, all of it or nothing; answers counts per kind and the tokens it made, once.
 * Needs the token of a site administrator. Throws a `HubApiError`: 400 with `issues`, 401, 403.
 *
 * ```ts
 * const { newTokens } = await applyHub({
 *   hubUrl, accessToken,
 *   document: { users: [{ name: 'ada', tokens: [{ name: 'laptop' }] }] },
 * });
 * ```
 */
export function applyHub(
  params: Hub & { readonly document: HubDocument },
): Promise<SuccessAnswer<typeof routes.applyHub>> {
  return call<typeof routes.applyHub>(params, { method: 'PUT', path: '/api/admin/hub', body: params.document });
}

/** The users of the hub, newest first, over all pages, for site administrators. Throws a `HubApiError`: 401, 403. */
export function listUsers(
  params: Hub & { readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof routes.listUsers>, void, undefined> {
  const query = { limit: params.pageSize?.toString() };
  return entriesOf<typeof routes.listUsers>(params, { method: 'GET', path: '/api/admin/users', query });
}
