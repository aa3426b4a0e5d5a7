import type * as routes from '@moonbase/contract/admin';
import type * as lists from '@moonbase/contract/admin-lists';
import type { getHubStatus as getHubStatusRoute } from '@moonbase/contract/admin-status';
import type { Entry, RouteBody, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { HubReport } from '@moonbase/contract/admin';
export type { OrganizationEntry, UserEntry } from '@moonbase/contract/admin-lists';
export type { HubStatus } from '@moonbase/contract/admin-status';

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

type Searched = Hub & {
  /** Part of a name, full name or, of users, e-mail address. */
  readonly search?: string | undefined;
  readonly pageSize?: number | undefined;
};

const queryOf = ({ search, pageSize }: Searched) => ({ search, limit: pageSize?.toString() });

/** The users of the hub, newest first, over all pages, for site administrators. Throws a `HubApiError`: 401, 403. */
export function listUsers(params: Searched): AsyncGenerator<Entry<typeof lists.listUsers>, void, undefined> {
  return entriesOf<typeof lists.listUsers>(params, { method: 'GET', path: '/api/admin/users', query: queryOf(params) });
}

/**
 * The organizations of the hub, newest first, deleted ones as well, over all pages, for site administrators.
 * Throws a `HubApiError`: 401, 403.
 */
export function listOrganizations(
  params: Searched,
): AsyncGenerator<Entry<typeof lists.listOrganizations>, void, undefined> {
  const query = queryOf(params);
  return entriesOf<typeof lists.listOrganizations>(params, { method: 'GET', path: '/api/admin/organizations', query });
}

/** How the hub does, for site administrators: queues, the last day, receivers that fail. Throws a `HubApiError`: 401, 403. */
export function getHubStatus(params: Hub): Promise<SuccessAnswer<typeof getHubStatusRoute>> {
  return call<typeof getHubStatusRoute>(params, { method: 'GET', path: '/api/admin/status' });
}
