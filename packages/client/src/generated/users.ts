// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as users from '@moonbase/contract/accounts/users';
import type { SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

/**
 * Disable a user. From the next request on the tokens of the user are unknown, open streams end, webhooks deliver
 * nothing, jobs end and no mail is sent. Nothing is deleted. 409 for oneself, and for the last enabled site
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
 * Enable a user. Whoever disabled it: also where that was the identity provider of an organization.
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
 * Delete a user. Oneself, or as a site administrator anybody; with a token of the role `write`. Repositories,
 * posts, articles, tokens, webhooks and jobs of the user end; audit logs keep the name, which is free again. 409
 * for the only admin of an organization, and for the last enabled site administrator.
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
