// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as members from '@moonbase/contract/organizations/members';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type OrganizationMember = SuccessAnswer<typeof members.listMembers>[number];

/**
 * List the members of an organization, in the order of joining. For members, and for everybody if the list is not
 * private. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 * - 403: The list is private, or `email` is not for the caller.
 */
export function listMembers(
  params: Hub & {
    readonly name: string;
    /** Text to search for in names and full names, ignoring case. */
    readonly search?: string | undefined;
    /** The complete address, ignoring case; for admins, plan team or higher. */
    readonly email?: RouteQuery<typeof members.listMembers>['email'];
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof members.listMembers>, void, undefined> {
  return entriesOf<typeof members.listMembers>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/members',
    params: { name: params.name },
    query: { search: params.search, email: params.email, limit: params.pageSize },
  });
}

/**
 * Add a member. For admins of the organization. Has no effect on a member who already has the role.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: A member with another role: change that with `/role`.
 */
export function addMember(
  params: Hub & {
    readonly name: string;
    readonly username: string;
    readonly role: RouteBody<typeof members.addMember>['role'];
  },
): Promise<SuccessAnswer<typeof members.addMember>> {
  return call<typeof members.addMember>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/members/{username}',
    params: { name: params.name, username: params.username },
    body: { role: params.role },
  });
}

/**
 * Remove a member, or leave. For admins of the organization. Members may leave. Also removes the member from the
 * resource groups of the organization.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The only admin stays.
 */
export function removeMember(
  params: Hub & {
    readonly name: string;
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof members.removeMember>> {
  return call<typeof members.removeMember>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/members/{username}',
    params: { name: params.name, username: params.username },
  });
}

/**
 * Change a member's role and resource groups. For admins of the organization. `resourceGroups` is the complete
 * list of the member's groups: absent or empty, none.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization has no paid plan.
 * - 403: A group is not of the organization, or an identity provider manages it.
 * - 409: The only admin stays one.
 */
export function changeMemberRole(
  params: Hub & {
    readonly name: string;
    readonly username: string;
    readonly role: RouteBody<typeof members.changeMemberRole>['role'];
    readonly resourceGroups?: RouteBody<typeof members.changeMemberRole>['resourceGroups'];
  },
): Promise<SuccessAnswer<typeof members.changeMemberRole>> {
  return call<typeof members.changeMemberRole>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/members/{username}/role',
    params: { name: params.name, username: params.username },
    body: { role: params.role, resourceGroups: params.resourceGroups },
  });
}

/**
 * Join an organization by the domain of your e-mail address. The caller joins with the role `read`.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function joinOrganization(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof members.joinOrganization>> {
  return call<typeof members.joinOrganization>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/join',
    params: { name: params.name },
  });
}
