// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as invitations from '@moonbase/contract/organizations/invitations';
import type { Entry, RouteBody, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type Invitation = SuccessAnswer<typeof invitations.listInvitations>[number];

/**
 * List the open invitations of an organization, newest first. For admins of the organization. Returns the entries
 * of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listInvitations(
  params: Hub & {
    readonly name: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof invitations.listInvitations>, void, undefined> {
  return entriesOf<typeof invitations.listInvitations>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/invitations',
    params: { name: params.name },
    query: { limit: params.pageSize },
  });
}

/**
 * Invite a user or an e-mail address. For admins of the organization. Anybody with the secret of an invitation by
 * mail can accept it, once, within seven days. Inviting an address again creates a new secret.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: A user who is invited already, or a member.
 */
export function createInvitation(
  params: Hub & {
    readonly name: string;
    readonly user?: string | undefined;
    readonly email?: RouteBody<typeof invitations.createInvitation>['email'];
    readonly role: RouteBody<typeof invitations.createInvitation>['role'];
  },
): Promise<SuccessAnswer<typeof invitations.createInvitation>> {
  return call<typeof invitations.createInvitation>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/invitations',
    params: { name: params.name },
    body: { user: params.user, email: params.email, role: params.role },
  });
}

/**
 * Withdraw an invitation. For admins of the organization.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteInvitation(
  params: Hub & {
    readonly name: string;
    readonly invitationId: string;
  },
): Promise<SuccessAnswer<typeof invitations.deleteInvitation>> {
  return call<typeof invitations.deleteInvitation>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/invitations/{invitationId}',
    params: { name: params.name, invitationId: params.invitationId },
  });
}

/**
 * List the invitations of the caller, newest first. Returns the entries of all pages, asking for `pageSize` at a
 * time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listOwnInvitations(
  params: Hub & {
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof invitations.listOwnInvitations>, void, undefined> {
  return entriesOf<typeof invitations.listOwnInvitations>(params, {
    method: 'GET',
    path: '/api/settings/invitations',
    query: { limit: params.pageSize },
  });
}

/**
 * Accept an invitation.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 404: There is no such invitation, or it is not for the caller.
 * - 409: It has expired, or its role or the right of its sender is no more.
 */
export function acceptInvitation(
  params: Hub & {
    readonly invitationId: string;
    /** For an invitation by mail; not required if the confirmed e-mail address of the caller is the invited one. */
    readonly secret?: string | undefined;
  },
): Promise<SuccessAnswer<typeof invitations.acceptInvitation>> {
  return call<typeof invitations.acceptInvitation>(params, {
    method: 'POST',
    path: '/api/settings/invitations/{invitationId}/accept',
    params: { invitationId: params.invitationId },
    body: { secret: params.secret },
  });
}
