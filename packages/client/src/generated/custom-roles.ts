// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as customRoles from '@moonbase/contract/organizations/custom-roles';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type CustomRole = SuccessAnswer<typeof customRoles.listCustomRoles>[number];

export type AccessReport = SuccessAnswer<typeof customRoles.explainAccess>;

/**
 * List the custom roles of an organization, newest first. For members of the organization. Enterprise plan.
 * Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise plan.
 */
export function listCustomRoles(
  params: Hub & {
    readonly organization: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof customRoles.listCustomRoles>, void, undefined> {
  return entriesOf<typeof customRoles.listCustomRoles>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/roles',
    params: { name: params.organization },
    query: { limit: params.pageSize },
  });
}

/**
 * Create a custom role. For admins of the organization. The names of built-in roles are refused; 409 if the name
 * is taken, ignoring case. Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise plan.
 */
export function createCustomRole(
  params: Hub & {
    readonly organization: string;
    /** 1 to 64 letters, digits, spaces, - and _ */
    readonly name: string;
    readonly base: RouteBody<typeof customRoles.createCustomRole>['base'];
    readonly description?: string | undefined;
  },
): Promise<SuccessAnswer<typeof customRoles.createCustomRole>> {
  return call<typeof customRoles.createCustomRole>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/roles',
    params: { name: params.organization },
    body: { name: params.name, base: params.base, description: params.description },
  });
}

/**
 * Change a custom role. For admins of the organization. A new base or name takes effect at once for everybody with
 * the role; 409 if the name is taken, or the organization would be left without an admin. Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise plan.
 * - 409: The name is taken, or no admin would be left.
 */
export function updateCustomRole(
  params: Hub & {
    readonly organization: string;
    readonly role: string;
    readonly name?: string | undefined;
    readonly base?: RouteBody<typeof customRoles.updateCustomRole>['base'];
    readonly description?: RouteBody<typeof customRoles.updateCustomRole>['description'];
  },
): Promise<SuccessAnswer<typeof customRoles.updateCustomRole>> {
  return call<typeof customRoles.updateCustomRole>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/roles/{role}',
    params: { name: params.organization, role: params.role },
    body: { name: params.name, base: params.base, description: params.description },
  });
}

/**
 * Delete a custom role. For admins of the organization. 409 while a member, a resource group or an invitation uses
 * the role.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise plan.
 * - 409: The role is in use.
 */
export function deleteCustomRole(
  params: Hub & {
    readonly organization: string;
    readonly role: string;
  },
): Promise<SuccessAnswer<typeof customRoles.deleteCustomRole>> {
  return call<typeof customRoles.deleteCustomRole>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/roles/{role}',
    params: { name: params.organization, role: params.role },
  });
}

/**
 * Explain what a user may do, and why. With `repo`, only the grants that apply there. Members may ask about
 * themselves, admins of the organization about everybody. Restrictions of tokens are not considered.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function explainAccess(
  params: Hub & {
    readonly organization: string;
    /** Default: the caller. */
    readonly user?: string | undefined;
    /** Type of `repo`. */
    readonly type?: RouteQuery<typeof customRoles.explainAccess>['type'];
    /** Repository of the organization: name, or namespace/name. */
    readonly repo?: string | undefined;
  },
): Promise<SuccessAnswer<typeof customRoles.explainAccess>> {
  return call<typeof customRoles.explainAccess>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/access',
    params: { name: params.organization },
    query: { user: params.user, type: params.type, repo: params.repo },
  });
}
