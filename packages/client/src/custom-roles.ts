import type * as routes from '@moonbase/contract/organizations/custom-roles';
import type { RepoType } from '@moonbase/contract/primitives';
import type { Entry, RouteBody, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { AccessReport, CustomRole } from '@moonbase/contract/organizations/custom-roles';

type OfOrganization = Hub & { readonly organization: string };
type OneRole = OfOrganization & { readonly role: string };

/** The custom roles of an organization, newest first, over all pages. Throws a `HubApiError`: 401, 402, 403, 404. */
export function listCustomRoles(
  params: OfOrganization & { readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof routes.listCustomRoles>, void, undefined> {
  return entriesOf<typeof routes.listCustomRoles>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/roles',
    params: { name: params.organization },
    query: { limit: params.pageSize?.toString() },
  });
}

/**
 * Creates a custom role, which may do what its base may. Throws a `HubApiError`: 400 for a bad or reserved name, 401,
 * 402, 403, 404, 409 where the name is taken.
 *
 * ```ts
 * await createCustomRole({ hubUrl, accessToken, organization: 'acme', name: 'auditor', base: 'read' });
 * ```
 */
export function createCustomRole(
  params: OfOrganization & RouteBody<typeof routes.createCustomRole>,
): Promise<SuccessAnswer<typeof routes.createCustomRole>> {
  const { name, base, description } = params;
  return call<typeof routes.createCustomRole>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/roles',
    params: { name: params.organization },
    body: { name, base, description },
  });
}

/** Changes a custom role for all who have it. Throws a `HubApiError`: 400, 401, 402, 403, 404, 409. */
export function updateCustomRole(
  params: OneRole & RouteBody<typeof routes.updateCustomRole>,
): Promise<SuccessAnswer<typeof routes.updateCustomRole>> {
  const { name, base, description } = params;
  return call<typeof routes.updateCustomRole>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/roles/{role}',
    params: { name: params.organization, role: params.role },
    body: { name, base, description },
  });
}

/** Deletes a custom role. Throws a `HubApiError`: 401, 402, 403, 404, 409 while it is in use. */
export function deleteCustomRole(params: OneRole): Promise<SuccessAnswer<typeof routes.deleteCustomRole>> {
  return call<typeof routes.deleteCustomRole>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/roles/{role}',
    params: { name: params.organization, role: params.role },
  });
}

/**
 * What somebody, by default the caller, may do in an organization or with one of its repositories, and why. Throws a
 * `HubApiError`: 400, 401, 403 where others are asked about by who is no admin, 404.
 */
export function explainAccess(
  params: OfOrganization & {
    readonly user?: string | undefined;
    readonly type?: RepoType | undefined;
    readonly repo?: string | undefined;
  },
): Promise<SuccessAnswer<typeof routes.explainAccess>> {
  const { user, type, repo } = params;
  return call<typeof routes.explainAccess>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/access',
    params: { name: params.organization },
    query: { user, type, repo },
  });
}
