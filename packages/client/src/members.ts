import type * as routes from '@moonbase/contract/organizations/members';
import type { Entry, RouteBody, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { OrganizationMember } from '@moonbase/contract/organizations/members';

type Organization = Hub & { readonly name: string };
type Member = Organization & { readonly username: string };

interface Filter {
  readonly search?: string | undefined;
  /** For admins of organizations with the plan team or higher. */
  readonly email?: string | undefined;
  /** 10 to 10,000. */
  readonly pageSize?: number | undefined;
}

/**
 * The members of an organization in the order of joining, over all pages. What is known of each depends on who asks.
 * Throws a `HubApiError`: 400, 401, 403, 404.
 *
 * ```ts
 * for await (const { user, role } of listMembers({ hubUrl, accessToken, name: 'acme' })) console.log(user, role);
 * ```
 */
export function listMembers(
  params: Organization & Filter,
): AsyncGenerator<Entry<typeof routes.listMembers>, void, undefined> {
  const { name, search, email, pageSize } = params;
  return entriesOf<typeof routes.listMembers>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/members',
    params: { name },
    query: { search, email, limit: pageSize?.toString() },
  });
}

/** Adds a member. Throws a `HubApiError`: 400, 401, 403, 404, 409 for a member with another role. */
export function addMember(
  params: Member & RouteBody<typeof routes.addMember>,
): Promise<SuccessAnswer<typeof routes.addMember>> {
  const { name, username, role } = params;
  return call<typeof routes.addMember>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/members/{username}',
    params: { name, username },
    body: { role },
  });
}

/** Removes a member; oneself: leaves. Throws a `HubApiError`: 401, 403, 404, 409 for the only admin. */
export function removeMember(params: Member): Promise<SuccessAnswer<typeof routes.removeMember>> {
  const { name, username } = params;
  return call<typeof routes.removeMember>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/members/{username}',
    params: { name, username },
  });
}

/**
 * Changes the role of a member and replaces the member's resource groups: without `resourceGroups`, none are left.
 * Throws a `HubApiError`: 400, 401, 402 without a paid plan, 403, 404, 409 for the only admin.
 */
export function changeMemberRole(
  params: Member & RouteBody<typeof routes.changeMemberRole>,
): Promise<SuccessAnswer<typeof routes.changeMemberRole>> {
  const { name, username, role, resourceGroups } = params;
  return call<typeof routes.changeMemberRole>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/members/{username}/role',
    params: { name, username },
    body: { role, resourceGroups },
  });
}

/** Joins an organization that the domain of the caller's e-mail address may join. Throws a `HubApiError`: 401, 403, 404. */
export function joinOrganization(params: Organization): Promise<SuccessAnswer<typeof routes.joinOrganization>> {
  return call<typeof routes.joinOrganization>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/join',
    params: { name: params.name },
  });
}
