import type * as routes from '@moonbase/contract/accounts/users';
import type { SuccessAnswer } from './operation.ts';
import { call, type Hub } from './request.ts';

type User = Hub & { readonly username: string };

/**
 * Disables a user, for site administrators: tokens, streams, webhooks and jobs end at once; nothing is deleted. Throws a
 * `HubApiError`: 401, 403, 404, 409 for oneself and for the last enabled site administrator.
 */
export function disableUser(params: User): Promise<SuccessAnswer<typeof routes.disableUser>> {
  const { username } = params;
  return call<typeof routes.disableUser>(params, {
    method: 'POST',
    path: '/api/admin/users/{username}/disable',
    params: { username },
  });
}

/** Enables a user, whoever disabled it, for site administrators. Throws a `HubApiError`: 401, 403, 404. */
export function enableUser(params: User): Promise<SuccessAnswer<typeof routes.enableUser>> {
  const { username } = params;
  return call<typeof routes.enableUser>(params, {
    method: 'POST',
    path: '/api/admin/users/{username}/enable',
    params: { username },
  });
}

/**
 * Deletes a user with all that is theirs: oneself, or anybody as a site administrator. Throws a `HubApiError`: 401, 403,
 * 404, 409 for the only admin of an organization and for the last enabled site administrator.
 */
export function deleteUser(params: User): Promise<SuccessAnswer<typeof routes.deleteUser>> {
  const { username } = params;
  return call<typeof routes.deleteUser>(params, {
    method: 'DELETE',
    path: '/api/users/{username}',
    params: { username },
  });
}
