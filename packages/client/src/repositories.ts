import type { RepoType } from '@moonbase/contract/primitives';
import type * as routes from '@moonbase/contract/repositories';
import type { RouteBody, SuccessAnswer } from './operation.ts';
import { repoParams, splitRepo } from './repo-name.ts';
import { call, type Hub } from './request.ts';

type Named = Hub & { readonly repo: string };
type Branch = OneRepo & { readonly branch: string };
type Tag = OneRepo & { readonly tag: string };

/** One repository: its type, and its name as in `namespace/name`. */
export type OneRepo = Hub & { readonly type: RepoType; readonly repo: string };

/**
 * Creates a repository, a model where no `type` is given; `repo` is `namespace/name`, or a name under the caller's own
 * namespace. Throws a `HubApiError`: 400, 401, 403, and 409 with `url` and `id` in `fields` where it exists.
 *
 * ```ts
 * const { url } = await createRepo({ hubUrl, accessToken, type: 'dataset', repo: 'ada/tables', private: true });
 * ```
 */
export function createRepo(
  params: Named & Omit<RouteBody<typeof routes.createRepo>, 'name' | 'organization'>,
): Promise<SuccessAnswer<typeof routes.createRepo>> {
  const { repo: name, type, private: isPrivate, visibility, sdk } = params;
  const body = { name, type, private: isPrivate, visibility, sdk };
  return call<typeof routes.createRepo>(params, { method: 'POST', path: '/api/repos/create', body });
}

/** Creates a bucket. Throws a `HubApiError`: 400, 401, 403, 409 as `createRepo` does. */
export function createBucket(
  params: Named & RouteBody<typeof routes.createBucket>,
): Promise<SuccessAnswer<typeof routes.createBucket>> {
  const { repo, private: isPrivate, visibility } = params;
  return call<typeof routes.createBucket>(params, {
    method: 'POST',
    path: '/api/buckets/{namespace}/{repo}',
    params: splitRepo(repo),
    body: { private: isPrivate, visibility },
  });
}

/** Deletes a repository, a model where no `type` is given. Throws a `HubApiError`: 401, 403, 404. */
export function deleteRepo(
  params: Named & { readonly type?: RepoType | undefined },
): Promise<SuccessAnswer<typeof routes.deleteRepo>> {
  const { repo: name, type } = params;
  return call<typeof routes.deleteRepo>(params, { method: 'DELETE', path: '/api/repos/delete', body: { name, type } });
}

/** Deletes a bucket. Throws a `HubApiError`: 401, 403, 404. */
export function deleteBucket(params: Named): Promise<SuccessAnswer<typeof routes.deleteBucket>> {
  return call<typeof routes.deleteBucket>(params, {
    method: 'DELETE',
    path: '/api/buckets/{namespace}/{repo}',
    params: splitRepo(params.repo),
  });
}

/** Renames a repository or moves it to another namespace; both names in full. Throws a `HubApiError`: 401, 403, 404, 409. */
export function moveRepo(
  params: Hub & { readonly from: string; readonly to: string; readonly type?: RepoType | undefined },
): Promise<SuccessAnswer<typeof routes.moveRepo>> {
  const { from: fromRepo, to: toRepo, type } = params;
  const body = { fromRepo, toRepo, type };
  return call<typeof routes.moveRepo>(params, { method: 'POST', path: '/api/repos/move', body });
}

/** Changes the given settings and answers them. Throws a `HubApiError`: 400, 401, 403, 404. */
export function updateRepoSettings(
  params: OneRepo & { readonly settings: RouteBody<typeof routes.updateRepoSettings> },
): Promise<SuccessAnswer<typeof routes.updateRepoSettings>> {
  return call<typeof routes.updateRepoSettings>(params, {
    method: 'PUT',
    path: '/api/{repoType}/{namespace}/{repo}/settings',
    params: repoParams(params),
    body: params.settings,
  });
}

/** Creates a branch at `startingPoint` (`main` by default), or with `emptyBranch`. Throws a `HubApiError`: 404, 409. */
export function createBranch(
  params: Branch & RouteBody<typeof routes.createBranch>,
): Promise<SuccessAnswer<typeof routes.createBranch>> {
  const { branch, startingPoint, emptyBranch, overwrite } = params;
  return call<typeof routes.createBranch>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/branch/{rev}',
    params: { ...repoParams(params), rev: branch },
    body: { startingPoint, emptyBranch, overwrite },
  });
}

/** Deletes a branch. Throws a `HubApiError`: 401, 403, 404. */
export function deleteBranch(params: Branch): Promise<SuccessAnswer<typeof routes.deleteBranch>> {
  return call<typeof routes.deleteBranch>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/branch/{rev}',
    params: { ...repoParams(params), rev: params.branch },
  });
}

/** Creates a tag at a branch, tag or commit. Throws a `HubApiError`: 404, 409. */
export function createTag(
  params: Tag & { readonly revision: string; readonly message?: string | undefined },
): Promise<SuccessAnswer<typeof routes.createTag>> {
  const { tag, revision, message } = params;
  return call<typeof routes.createTag>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/tag/{rev}',
    params: { ...repoParams(params), rev: revision },
    body: { tag, message },
  });
}

/** Deletes a tag. Throws a `HubApiError`: 401, 403, 404. */
export function deleteTag(params: Tag): Promise<SuccessAnswer<typeof routes.deleteTag>> {
  return call<typeof routes.deleteTag>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/tag/{rev}',
    params: { ...repoParams(params), rev: params.tag },
  });
}
