// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as users from '@moonbase/contract/accounts/users';
import type { SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

/**
 * Disable a user. At once, the tokens of the user become invalid, open streams end, webhooks deliver nothing, jobs
 * are cancelled and no mail is sent. Nothing is deleted. 409 for the caller, and for the last enabled site
 * administrator.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function disableUser(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof users.disableUser>> {
  return call<typeof users.disableUser>(params, {
    method: 'POST',
    path: '/api/admin/users/{username}/disable',
    params: { username: params.username },
  });
}

/**
 * Enable a user. Enables a disabled user, even one disabled by the identity provider of an organization.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function enableUser(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof users.enableUser>> {
  return call<typeof users.enableUser>(params, {
    method: 'POST',
    path: '/api/admin/users/{username}/enable',
    params: { username: params.username },
  });
}

/**
 * Delete a user. Users may delete themselves, site administrators anybody; needs a token of the role `write`.
 * Deletes the repositories, posts, articles, tokens, webhooks and jobs of the user; the name becomes free, but
 * stays in audit logs. 409 for the only admin of an organization, and for the last enabled site administrator.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteUser(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof users.deleteUser>> {
  return call<typeof users.deleteUser>(params, {
    method: 'DELETE',
    path: '/api/users/{username}',
    params: { username: params.username },
  });
}
