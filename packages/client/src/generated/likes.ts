// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as likes from '@moonbase/contract/repositories/likes';
import type { Entry, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { repoParams } from '../repo-name.ts';
import { call, type Hub } from '../request.ts';

export type LikedRepo = SuccessAnswer<typeof likes.listLikedRepos>[number];

export type RepoId = SuccessAnswer<typeof likes.listLikedRepos>[number]['repo'];

/**
 * Like a repository. Whoever may read a repository may like it. Liking it again changes nothing.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function likeRepo(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof likes.likeRepo>> {
  return call<typeof likes.likeRepo>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/like',
    params: { ...repoParams(params) },
  });
}

/**
 * Take a like back. Without a like nothing changes.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function unlikeRepo(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof likes.unlikeRepo>> {
  return call<typeof likes.unlikeRepo>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/like',
    params: { ...repoParams(params) },
  });
}

/**
 * List the users who like a repository, the latest first. Returns the entries of all pages, asking for `pageSize`
 * at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listLikers(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof likes.listLikers>, void, undefined> {
  return entriesOf<typeof likes.listLikers>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/likers',
    params: { ...repoParams(params) },
    query: { limit: params.pageSize },
  });
}

/**
 * List the repositories that a user likes, the latest first. Public repositories only. Returns the entries of all
 * pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listLikedRepos(
  params: Hub & {
    readonly username: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof likes.listLikedRepos>, void, undefined> {
  return entriesOf<typeof likes.listLikedRepos>(params, {
    method: 'GET',
    path: '/api/users/{username}/likes',
    params: { username: params.username },
    query: { limit: params.pageSize },
  });
}
