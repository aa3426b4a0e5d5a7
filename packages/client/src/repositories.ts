import type { RepoType } from '@moonbase/contract/primitives';
import type * as reading from '@moonbase/contract/repositories/reading';
import type * as routes from '@moonbase/contract/repositories/repositories';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
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
  const { repo: name, type, private: isPrivate, visibility, sdk, resourceGroupId } = params;
  const body = { name, type, private: isPrivate, visibility, sdk, resourceGroupId };
  return call<typeof routes.createRepo>(params, { method: 'POST', path: '/api/repos/create', body });
}

/** Creates a bucket. Throws a `HubApiError`: 400, 401, 403, 409 as `createRepo` does. */
export function createBucket(
  params: Named & RouteBody<typeof routes.createBucket>,
): Promise<SuccessAnswer<typeof routes.createBucket>> {
  const { repo, private: isPrivate, visibility, resourceGroupId } = params;
  return call<typeof routes.createBucket>(params, {
    method: 'POST',
    path: '/api/buckets/{namespace}/{repo}',
    params: splitRepo(repo),
    body: { private: isPrivate, visibility, resourceGroupId },
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

type GitRepo = Hub & { readonly type: Exclude<RepoType, 'bucket'>; readonly repo: string };
type Info = { readonly expand?: readonly string[] | undefined };

/**
 * A model, dataset, Space or kernel; with `expand` only these fields of it. Throws a `HubApiError`: 400, 401, 404.
 *
 * ```ts
 * const { sha, lastModified } = await getRepo({ hubUrl, accessToken, type: 'dataset', repo: 'ada/tables' });
 * ```
 */
export function getRepo(params: GitRepo & Info): Promise<SuccessAnswer<typeof reading.getRepo>> {
  return call<typeof reading.getRepo>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}',
    params: repoParams(params),
    query: { expand: params.expand && [...params.expand] },
  });
}

/** The same at a branch, tag, commit or ref. Throws a `HubApiError`: 404 with `RepoNotFound` or `RevisionNotFound`. */
export function getRepoAtRevision(
  params: GitRepo & Info & { readonly revision: string },
): Promise<SuccessAnswer<typeof reading.getRepoAtRevision>> {
  return call<typeof reading.getRepoAtRevision>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/revision/{rev}',
    params: { ...repoParams(params), rev: params.revision },
    query: { expand: params.expand && [...params.expand] },
  });
}

/** A bucket. Throws a `HubApiError`: 401, 404. */
export function getBucket(params: Named): Promise<SuccessAnswer<typeof reading.getBucket>> {
  return call<typeof reading.getBucket>(params, {
    method: 'GET',
    path: '/api/buckets/{namespace}/{repo}',
    params: splitRepo(params.repo),
  });
}

/** Branches and tags, and the refs of pull requests where asked for. Throws a `HubApiError`: 401, 404. */
export function listRefs(
  params: GitRepo & { readonly includePullRequests?: boolean | undefined },
): Promise<SuccessAnswer<typeof reading.listRefs>> {
  return call<typeof reading.listRefs>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/refs',
    params: repoParams(params),
    query: { include_prs: params.includePullRequests ? '1' : undefined },
  });
}

/** Succeeds where the caller may read. Throws a `HubApiError`: 401, 404. */
export function checkAccess(params: OneRepo): Promise<SuccessAnswer<typeof reading.checkAccess>> {
  return call<typeof reading.checkAccess>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/auth-check',
    params: repoParams(params),
  });
}

/** Succeeds where the caller may write. Throws a `HubApiError`: 401, 403, 404. */
export function checkWriteAccess(params: OneRepo): Promise<SuccessAnswer<typeof reading.checkWriteAccess>> {
  return call<typeof reading.checkWriteAccess>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/auth-check/write',
    params: repoParams(params),
  });
}

type Listed = Omit<RouteQuery<typeof reading.listRepos>, 'cursor' | 'limit'> & {
  readonly pageSize?: number | undefined;
};

/** The caller's own repositories of all types, over all pages. Throws a `HubApiError` when a page is asked for. */
export function listRepos(params: Hub & Listed): AsyncGenerator<Entry<typeof reading.listRepos>, void, undefined> {
  return entriesOf<typeof reading.listRepos>(params, {
    method: 'GET',
    path: '/api/settings/repositories',
    query: listQuery(params),
  });
}

/** What the caller may read of an organization's, over all pages. Throws a `HubApiError` when a page is asked for. */
export function listOrganizationRepos(
  params: Hub & Listed & { readonly organization: string },
): AsyncGenerator<Entry<typeof reading.listOrganizationRepos>, void, undefined> {
  return entriesOf<typeof reading.listOrganizationRepos>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/settings/repositories',
    params: { name: params.organization },
    query: listQuery(params),
  });
}

const listQuery = ({ search, type, sort, direction, pageSize }: Listed) => ({
  search,
  type,
  sort,
  direction,
  limit: pageSize?.toString(),
});
