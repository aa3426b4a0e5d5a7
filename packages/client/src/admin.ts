import type * as deadLetters from '@moonbase/contract/admin/dead-letters';
import type * as routes from '@moonbase/contract/admin/hub-document';
import type * as lists from '@moonbase/contract/admin/lists';
import type { getHubStatus as getHubStatusRoute } from '@moonbase/contract/admin/status';
import type { Entry, RouteBody, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { DeadLetter, DeadLetterQueue } from '@moonbase/contract/admin/dead-letters';
export type { HubReport } from '@moonbase/contract/admin/hub-document';
export type { OrganizationEntry, UserEntry } from '@moonbase/contract/admin/lists';
export type { HubStatus } from '@moonbase/contract/admin/status';

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
export function listUsers(
  params: Searched & {
    /** Only those who are disabled, or only the others. */
    readonly disabled?: boolean | undefined;
  },
): AsyncGenerator<Entry<typeof lists.listUsers>, void, undefined> {
  const disabled = params.disabled === undefined ? undefined : params.disabled ? ('true' as const) : ('false' as const);
  const query = { ...queryOf(params), disabled };
  return entriesOf<typeof lists.listUsers>(params, { method: 'GET', path: '/api/admin/users', query });
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

/**
 * What the queues of the hub set aside, newest first, over all pages, for site administrators.
 * Throws a `HubApiError`: 401, 403.
 */
export function listDeadLetters(
  params: Hub & { readonly queue?: deadLetters.DeadLetterQueue | undefined; readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof deadLetters.listDeadLetters>, void, undefined> {
  const query = { queue: params.queue, limit: params.pageSize?.toString() };
  return entriesOf<typeof deadLetters.listDeadLetters>(params, {
    method: 'GET',
    path: '/api/admin/dead-letters',
    query,
  });
}

type OneDeadLetter = Hub & { readonly id: string };

/**
 * Puts an item that was set aside back into its queue, for site administrators.
 * Throws a `HubApiError`: 401, 403, 404, 410 where the item is gone.
 */
export function retryDeadLetter(params: OneDeadLetter): Promise<SuccessAnswer<typeof deadLetters.retryDeadLetter>> {
  return call<typeof deadLetters.retryDeadLetter>(params, {
    method: 'POST',
    path: '/api/admin/dead-letters/{id}/retry',
    params: { id: params.id },
  });
}

/** Gives an item up that was set aside, for site administrators. Throws a `HubApiError`: 401, 403, 404. */
export function discardDeadLetter(params: OneDeadLetter): Promise<SuccessAnswer<typeof deadLetters.discardDeadLetter>> {
  return call<typeof deadLetters.discardDeadLetter>(params, {
    method: 'DELETE',
    path: '/api/admin/dead-letters/{id}',
    params: { id: params.id },
  });
}
