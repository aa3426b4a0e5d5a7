// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as mirrors from '@moonbase/contract/repositories/mirrors';
import type { Entry, RouteBody, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { repoParams } from '../repo-name.ts';
import { call, type Hub } from '../request.ts';

export type Mirror = SuccessAnswer<typeof mirrors.getMirror>;

export type MirrorEntry = SuccessAnswer<typeof mirrors.listMirrors>[number];

/**
 * Get the mirror settings of a repository and the state of its last sync.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getMirror(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof mirrors.getMirror>> {
  return call<typeof mirrors.getMirror>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/mirror',
    params: { ...repoParams(params) },
  });
}

/**
 * Make a repository follow a git repository elsewhere. The branches, tags and large files of the remote are
 * brought in at once and then at an interval, on behalf of the caller. Each sync that changes something is one
 * `repo.content` event. Nobody else changes the branches and tags of a mirror.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 501.
 * - 409: The repository is a mirror already, or has content of its own and `overwrite` is not true.
 * - 501: The hub has no git of version 2.39 or later.
 */
export function createMirror(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /**
     * Address of a git repository, as `git clone` takes it: `https://…`, with or without `.git`. `http://` is for
     * addresses that the operator allows.
     */
    readonly url: string;
    /** The user name that goes with the token (default: `git`); many remotes ignore it. */
    readonly username?: string | undefined;
    /** A token or password for the remote. It is never shown again. */
    readonly token?: string | undefined;
    /** Seconds from the end of one sync to the next (default: 28800). The hub has a minimum. */
    readonly interval?: number | undefined;
    /** Whether commits, branches and tags that the repository has may be replaced. */
    readonly overwrite?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof mirrors.createMirror>> {
  return call<typeof mirrors.createMirror>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/mirror',
    params: { ...repoParams(params) },
    body: {
      url: params.url,
      username: params.username,
      token: params.token,
      interval: params.interval,
      overwrite: params.overwrite,
    },
  });
}

/**
 * Change what a mirror follows, and how often. What is left out stays, except that another URL without a token
 * removes the token. From then on the mirror works on behalf of the caller. A sync follows at once.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateMirror(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /**
     * Address of a git repository, as `git clone` takes it: `https://…`, with or without `.git`. `http://` is for
     * addresses that the operator allows.
     */
    readonly url?: string | undefined;
    /** The user name that goes with the token (default: `git`); many remotes ignore it. */
    readonly username?: string | undefined;
    /** null removes the token. */
    readonly token?: RouteBody<typeof mirrors.updateMirror>['token'];
    /** Seconds from the end of one sync to the next (default: 28800). The hub has a minimum. */
    readonly interval?: number | undefined;
  },
): Promise<SuccessAnswer<typeof mirrors.updateMirror>> {
  return call<typeof mirrors.updateMirror>(params, {
    method: 'PUT',
    path: '/api/{repoType}/{namespace}/{repo}/mirror',
    params: { ...repoParams(params) },
    body: { url: params.url, username: params.username, token: params.token, interval: params.interval },
  });
}

/**
 * Let a repository no longer follow its remote; its content stays.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteMirror(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof mirrors.deleteMirror>> {
  return call<typeof mirrors.deleteMirror>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/mirror',
    params: { ...repoParams(params) },
  });
}

/**
 * Sync a mirror now. The sync begins as soon as a place is free. It has ended once `syncing` is false and
 * `nextSyncAt` differs from that of this response.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function syncMirror(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof mirrors.syncMirror>> {
  return call<typeof mirrors.syncMirror>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/mirror/sync',
    params: { ...repoParams(params) },
  });
}

/**
 * List the mirrors of the hub, newest repository first. Returns the entries of all pages, asking for `pageSize` at
 * a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listMirrors(
  params: Hub & {
    /** true: only those whose last sync failed or that are stopped; false: only the others. */
    readonly failing?: boolean | undefined;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof mirrors.listMirrors>, void, undefined> {
  return entriesOf<typeof mirrors.listMirrors>(params, {
    method: 'GET',
    path: '/api/admin/mirrors',
    query: { failing: params.failing, limit: params.pageSize },
  });
}

/**
 * Let any repository of the hub no longer follow its remote; its content stays.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function removeMirror(
  params: Hub & {
    /** Object id: 24 lower-case hexadecimal characters. */
    readonly id: string;
  },
): Promise<SuccessAnswer<typeof mirrors.removeMirror>> {
  return call<typeof mirrors.removeMirror>(params, {
    method: 'DELETE',
    path: '/api/admin/mirrors/{id}',
    params: { id: params.id },
  });
}
