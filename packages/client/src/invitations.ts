import type * as routes from '@moonbase/contract/organizations/invitations';
import type { Entry, RouteBody, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { Invitation } from '@moonbase/contract/organizations/invitations';

type Organization = Hub & { readonly name: string };
interface Paged {
  readonly pageSize?: number | undefined;
}

/** The open invitations of an organization, newest first; for admins. Throws a `HubApiError`: 401, 403, 404. */
export function listInvitations(
  params: Organization & Paged,
): AsyncGenerator<Entry<typeof routes.listInvitations>, void, undefined> {
  const { name, pageSize } = params;
  return entriesOf<typeof routes.listInvitations>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/invitations',
    params: { name },
    query: { limit: pageSize?.toString() },
  });
}

/**
 * Invites a `user`, or an `email`, which is answered with the `secret` that accepts it. Throws a `HubApiError`: 400, 401,
 * 403, 404, 409 for a user who is invited already.
 */
export function createInvitation(
  params: Organization & RouteBody<typeof routes.createInvitation>,
): Promise<SuccessAnswer<typeof routes.createInvitation>> {
  const { name, user, email, role } = params;
  return call<typeof routes.createInvitation>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/invitations',
    params: { name },
    body: { user, email, role },
  });
}

/** Withdraws an invitation. Throws a `HubApiError`: 401, 403, 404. */
export function deleteInvitation(
  params: Organization & { readonly invitationId: string },
): Promise<SuccessAnswer<typeof routes.deleteInvitation>> {
  const { name, invitationId } = params;
  return call<typeof routes.deleteInvitation>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/invitations/{invitationId}',
    params: { name, invitationId },
  });
}

/** The invitations of the caller, newest first. Throws a `HubApiError`: 401, 403. */
export function listOwnInvitations(
  params: Hub & Paged,
): AsyncGenerator<Entry<typeof routes.listOwnInvitations>, void, undefined> {
  const query = { limit: params.pageSize?.toString() };
  return entriesOf<typeof routes.listOwnInvitations>(params, {
    method: 'GET',
    path: '/api/settings/invitations',
    query,
  });
}

/**
 * Accepts an invitation, one by mail with its `secret`. Throws a `HubApiError`: 401, 403, 404, 409 where it has expired or
 * its role or the right of its sender is no more.
 */
export function acceptInvitation(
  params: Hub & { readonly invitationId: string } & Partial<RouteBody<typeof routes.acceptInvitation>>,
): Promise<SuccessAnswer<typeof routes.acceptInvitation>> {
  const { invitationId, secret } = params;
  return call<typeof routes.acceptInvitation>(params, {
    method: 'POST',
    path: '/api/settings/invitations/{invitationId}/accept',
    params: { invitationId },
    body: { secret },
  });
}
