// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as followers from '@moonbase/contract/accounts/followers';
import type { Entry, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import type { Hub } from '../request.ts';

export type UserReference = SuccessAnswer<typeof followers.listUserFollowers>[number];

/**
 * List the users who follow a user. Following is watching: `PATCH /api/settings/watch`. Returns the entries of all
 * pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listUserFollowers(
  params: Hub & {
    readonly username: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof followers.listUserFollowers>, void, undefined> {
  return entriesOf<typeof followers.listUserFollowers>(params, {
    method: 'GET',
    path: '/api/users/{username}/followers',
    params: { username: params.username },
    query: { limit: params.pageSize },
  });
}

/**
 * List the users whom a user follows. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listFollowedUsers(
  params: Hub & {
    readonly username: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof followers.listFollowedUsers>, void, undefined> {
  return entriesOf<typeof followers.listFollowedUsers>(params, {
    method: 'GET',
    path: '/api/users/{username}/following',
    params: { username: params.username },
    query: { limit: params.pageSize },
  });
}

/**
 * List the users who follow an organization. Members follow their organization from the beginning. Where the list
 * of members is private, members alone see them. Returns the entries of all pages, asking for `pageSize` at a
 * time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listOrganizationFollowers(
  params: Hub & {
    readonly name: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof followers.listOrganizationFollowers>, void, undefined> {
  return entriesOf<typeof followers.listOrganizationFollowers>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/followers',
    params: { name: params.name },
    query: { limit: params.pageSize },
  });
}
