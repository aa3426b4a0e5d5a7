// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as listing from '@moonbase/contract/repositories/listing';
import type * as reading from '@moonbase/contract/repositories/reading';
import type * as repositories from '@moonbase/contract/repositories/repositories';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { repoParams, splitRepo } from '../repo-name.ts';
import { call, type Hub } from '../request.ts';

export type Bucket = SuccessAnswer<typeof reading.getBucket>;

/**
 * Create a repository.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 422, 501.
 * - 422: A path that no repository may have.
 * - 501: Hardware for a Space: this hub does not run them.
 */
export function createRepo(
  params: Hub & {
    /** name, or namespace/name */
    readonly repo: string;
    readonly type?: RouteBody<typeof repositories.createRepo>['type'];
    /** Default: public. Cannot be combined with `visibility`. */
    readonly private?: RouteBody<typeof repositories.createRepo>['private'];
    /** `protected` is for Spaces only and means private on this hub. */
    readonly visibility?: RouteBody<typeof repositories.createRepo>['visibility'];
    /** Spaces only. A Space with an SDK begins with a `README.md` that names it. */
    readonly sdk?: string | undefined;
    readonly resourceGroupId?: RouteBody<typeof repositories.createRepo>['resourceGroupId'];
    /** Files of a commit that the repository begins with, beside `.gitattributes`. Not for buckets. */
    readonly files?: RouteBody<typeof repositories.createRepo>['files'];
    /** Identifier of the licence, for the `README.md` that is then made. */
    readonly license?: string | undefined;
    readonly license_name?: string | undefined;
    readonly license_link?: string | undefined;
    /** Spaces only: for the `README.md` as well. */
    readonly short_description?: string | undefined;
    /** Spaces only. Secrets that the Space begins with; stored encrypted. */
    readonly secrets?: RouteBody<typeof repositories.createRepo>['secrets'];
    /** Spaces only. Variables that the Space begins with. */
    readonly variables?: RouteBody<typeof repositories.createRepo>['variables'];
    /** Spaces only. Volumes that the Space begins with. */
    readonly volumes?: RouteBody<typeof repositories.createRepo>['volumes'];
    /** 501: this hub does not run Spaces. */
    readonly hardware?: string | undefined;
    /** As `hardware`. */
    readonly storageTier?: string | undefined;
    /** As `hardware`. */
    readonly sleepTimeSeconds?: number | undefined;
    /** 400: this hub has no templates of Spaces. */
    readonly template?: string | undefined;
  },
): Promise<SuccessAnswer<typeof repositories.createRepo>> {
  return call<typeof repositories.createRepo>(params, {
    method: 'POST',
    path: '/api/repos/create',
    body: {
      name: params.repo,
      type: params.type,
      private: params.private,
      visibility: params.visibility,
      sdk: params.sdk,
      resourceGroupId: params.resourceGroupId,
      files: params.files,
      license: params.license,
      license_name: params.license_name,
      license_link: params.license_link,
      short_description: params.short_description,
      secrets: params.secrets,
      variables: params.variables,
      volumes: params.volumes,
      hardware: params.hardware,
      storageTier: params.storageTier,
      sleepTimeSeconds: params.sleepTimeSeconds,
      template: params.template,
    },
  });
}

/**
 * Create a bucket.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function createBucket(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    /** Default: public. Cannot be combined with `visibility`. */
    readonly private?: RouteBody<typeof repositories.createBucket>['private'];
    /** `protected` is for Spaces only and means private on this hub. */
    readonly visibility?: RouteBody<typeof repositories.createBucket>['visibility'];
    /** The resource group of the organization to create the repository in. */
    readonly resourceGroupId?: string | undefined;
  },
): Promise<SuccessAnswer<typeof repositories.createBucket>> {
  return call<typeof repositories.createBucket>(params, {
    method: 'POST',
    path: '/api/buckets/{namespace}/{repo}',
    params: { ...splitRepo(params.repo) },
    body: { private: params.private, visibility: params.visibility, resourceGroupId: params.resourceGroupId },
  });
}

/**
 * Delete a repository.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function deleteRepo(
  params: Hub & {
    /** name, or namespace/name */
    readonly repo: string;
    readonly type?: RouteBody<typeof repositories.deleteRepo>['type'];
  },
): Promise<SuccessAnswer<typeof repositories.deleteRepo>> {
  return call<typeof repositories.deleteRepo>(params, {
    method: 'DELETE',
    path: '/api/repos/delete',
    body: { name: params.repo, type: params.type },
  });
}

/**
 * Delete a bucket.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteBucket(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof repositories.deleteBucket>> {
  return call<typeof repositories.deleteBucket>(params, {
    method: 'DELETE',
    path: '/api/buckets/{namespace}/{repo}',
    params: { ...splitRepo(params.repo) },
  });
}

/**
 * Move or rename a repository.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function moveRepo(
  params: Hub & {
    /** namespace/name */
    readonly from: string;
    /** namespace/name */
    readonly to: string;
    readonly type?: RouteBody<typeof repositories.moveRepo>['type'];
  },
): Promise<SuccessAnswer<typeof repositories.moveRepo>> {
  return call<typeof repositories.moveRepo>(params, {
    method: 'POST',
    path: '/api/repos/move',
    body: { fromRepo: params.from, toRepo: params.to, type: params.type },
  });
}

/**
 * Update the settings of a repository.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateRepoSettings(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly settings: RouteBody<typeof repositories.updateRepoSettings>;
  },
): Promise<SuccessAnswer<typeof repositories.updateRepoSettings>> {
  return call<typeof repositories.updateRepoSettings>(params, {
    method: 'PUT',
    path: '/api/{repoType}/{namespace}/{repo}/settings',
    params: { ...repoParams(params) },
    body: params.settings,
  });
}

/**
 * Get the settings of a repository. For those who may change them.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getRepoSettings(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof repositories.getRepoSettings>> {
  return call<typeof repositories.getRepoSettings>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/settings',
    params: { ...repoParams(params) },
  });
}

/**
 * Create a branch.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function createBranch(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly branch: string;
    /** Branch, tag or commit id (default: `main`). */
    readonly startingPoint?: string | undefined;
    /** Whether the branch begins with a commit of its own. */
    readonly emptyBranch?: boolean | undefined;
    /** Whether to move an existing branch. */
    readonly overwrite?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof repositories.createBranch>> {
  return call<typeof repositories.createBranch>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/branch/{rev}',
    params: { ...repoParams(params), rev: params.branch },
    body: { startingPoint: params.startingPoint, emptyBranch: params.emptyBranch, overwrite: params.overwrite },
  });
}

/**
 * Delete a branch.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteBranch(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly branch: string;
  },
): Promise<SuccessAnswer<typeof repositories.deleteBranch>> {
  return call<typeof repositories.deleteBranch>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/branch/{rev}',
    params: { ...repoParams(params), rev: params.branch },
  });
}

/**
 * Create a tag at a revision.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function createTag(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly revision: string;
    readonly tag: string;
    readonly message?: string | undefined;
  },
): Promise<SuccessAnswer<typeof repositories.createTag>> {
  return call<typeof repositories.createTag>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/tag/{rev}',
    params: { ...repoParams(params), rev: params.revision },
    body: { tag: params.tag, message: params.message },
  });
}

/**
 * Delete a tag.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteTag(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly tag: string;
  },
): Promise<SuccessAnswer<typeof repositories.deleteTag>> {
  return call<typeof repositories.deleteTag>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/tag/{rev}',
    params: { ...repoParams(params), rev: params.tag },
  });
}

/**
 * Get a repository.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 429, 504.
 * - 429: Too much is being read from the upstream; `Retry-After` says when to try again.
 * - 504: Only the upstream can have it, and it does not answer.
 */
export function getRepo(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** Return only these fields; may be repeated. 400 for a field that the type does not have. */
    readonly expand?: RouteQuery<typeof reading.getRepo>['expand'];
  },
): Promise<SuccessAnswer<typeof reading.getRepo>> {
  return call<typeof reading.getRepo>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}',
    params: { ...repoParams(params) },
    query: { expand: params.expand },
  });
}

/**
 * Get a repository at a revision. The revision is a branch, a tag, a commit id, a ref such as `refs/pr/1`, or
 * `HEAD`. 404 with the code `RevisionNotFound` otherwise.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 429, 504.
 * - 429: Too much is being read from the upstream; `Retry-After` says when to try again.
 * - 504: Only the upstream can have it, and it does not answer.
 */
export function getRepoAtRevision(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly revision: string;
    /** Return only these fields; may be repeated. 400 for a field that the type does not have. */
    readonly expand?: RouteQuery<typeof reading.getRepoAtRevision>['expand'];
  },
): Promise<SuccessAnswer<typeof reading.getRepoAtRevision>> {
  return call<typeof reading.getRepoAtRevision>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/revision/{rev}',
    params: { ...repoParams(params), rev: params.revision },
    query: { expand: params.expand },
  });
}

/**
 * Get a bucket.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getBucket(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof reading.getBucket>> {
  return call<typeof reading.getBucket>(params, {
    method: 'GET',
    path: '/api/buckets/{namespace}/{repo}',
    params: { ...splitRepo(params.repo) },
  });
}

/**
 * List the buckets of a user or organization. Returns the buckets that the caller may read, the last one made
 * first. The namespace `me` is the caller. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listBuckets(
  params: Hub & {
    readonly namespace: string;
    /** Text to search for in the name, ignoring case. */
    readonly search?: string | undefined;
    /** Buckets per page. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof reading.listBuckets>, void, undefined> {
  return entriesOf<typeof reading.listBuckets>(params, {
    method: 'GET',
    path: '/api/buckets/{namespace}',
    params: { namespace: params.namespace },
    query: { search: params.search, limit: params.pageSize },
  });
}

/**
 * List branches and tags.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 429, 504.
 * - 429: Too much is being read from the upstream; `Retry-After` says when to try again.
 * - 504: Only the upstream can have it, and it does not answer.
 */
export function listRefs(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** Whether to include the refs of pull requests. */
    readonly includePullRequests?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof reading.listRefs>> {
  return call<typeof reading.listRefs>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/refs',
    params: { ...repoParams(params) },
    query: { include_prs: params.includePullRequests },
  });
}

/**
 * Check whether the caller may read a repository.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 429, 504.
 * - 429: Too much is being read from the upstream; `Retry-After` says when to try again.
 * - 504: Only the upstream can have it, and it does not answer.
 */
export function checkAccess(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof reading.checkAccess>> {
  return call<typeof reading.checkAccess>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/auth-check',
    params: { ...repoParams(params) },
  });
}

/**
 * Check whether the caller may write to a repository.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function checkWriteAccess(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof reading.checkWriteAccess>> {
  return call<typeof reading.checkWriteAccess>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/auth-check/write',
    params: { ...repoParams(params) },
  });
}

/**
 * List the repositories of the caller. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listRepos(
  params: Hub & {
    /** Text to search for in the name, ignoring case. */
    readonly search?: string | undefined;
    readonly type?: RouteQuery<typeof reading.listRepos>['type'];
    readonly sort?: RouteQuery<typeof reading.listRepos>['sort'];
    readonly direction?: RouteQuery<typeof reading.listRepos>['direction'];
    /** Repositories per page, at most 1000. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof reading.listRepos>, void, undefined> {
  return entriesOf<typeof reading.listRepos>(params, {
    method: 'GET',
    path: '/api/settings/repositories',
    query: {
      search: params.search,
      type: params.type,
      sort: params.sort,
      direction: params.direction,
      limit: params.pageSize,
    },
  });
}

/**
 * List the repositories of an organization. Returns only repositories that the caller may read. Returns the
 * entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listOrganizationRepos(
  params: Hub & {
    readonly organization: string;
    /** Text to search for in the name, ignoring case. */
    readonly search?: string | undefined;
    readonly type?: RouteQuery<typeof reading.listOrganizationRepos>['type'];
    readonly sort?: RouteQuery<typeof reading.listOrganizationRepos>['sort'];
    readonly direction?: RouteQuery<typeof reading.listOrganizationRepos>['direction'];
    /** Repositories per page, at most 1000. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof reading.listOrganizationRepos>, void, undefined> {
  return entriesOf<typeof reading.listOrganizationRepos>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/settings/repositories',
    params: { name: params.organization },
    query: {
      search: params.search,
      type: params.type,
      sort: params.sort,
      direction: params.direction,
      limit: params.pageSize,
    },
  });
}

/**
 * List models. Private repositories are listed for those who may read them. Returns the entries of all pages,
 * asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listModels(
  params: Hub & {
    /** Texts that the full name contains, separated by blanks; case is ignored, and `-`, `_`, `.` are equal. */
    readonly search?: RouteQuery<typeof listing.listModels>['search'];
    /** The namespace. */
    readonly author?: string | undefined;
    /** Tags that all must be there; case is ignored. May be repeated. */
    readonly filter?: RouteQuery<typeof listing.listModels>['filter'];
    readonly sort?: RouteQuery<typeof listing.listModels>['sort'];
    /** `-1`: the highest or newest first. */
    readonly direction?: RouteQuery<typeof listing.listModels>['direction'];
    /** Whether to add the fields that take longer, such as the files. */
    readonly full?: boolean | undefined;
    /** Return only these fields. May be repeated. */
    readonly expand?: RouteQuery<typeof listing.listModels>['expand'];
    /** Whether access must be requested; `auto` or `manual`: how requests are handled. */
    readonly gated?: boolean | undefined;
    readonly pipeline_tag?: string | undefined;
    /** A range of the number of parameters, such as `min:6B,max:128B`. */
    readonly num_parameters?: string | undefined;
    /** Whether to add `config`. */
    readonly config?: boolean | undefined;
    /** Whether to add `cardData`. */
    readonly cardData?: boolean | undefined;
    /** This hub offers no inference: nothing is listed. */
    readonly inference?: string | undefined;
    /** As `inference`. */
    readonly inference_provider?: RouteQuery<typeof listing.listModels>['inference_provider'];
    /** Apps that can run the model: known from its tag of the same name. */
    readonly apps?: RouteQuery<typeof listing.listModels>['apps'];
    /** Repositories per page, at most 1000; at most 100 with `full` or with fields that are read from files. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof listing.listModels>, void, undefined> {
  return entriesOf<typeof listing.listModels>(params, {
    method: 'GET',
    path: '/api/models',
    query: {
      search: params.search,
      author: params.author,
      filter: params.filter,
      sort: params.sort,
      direction: params.direction,
      full: params.full,
      expand: params.expand,
      gated: params.gated,
      pipeline_tag: params.pipeline_tag,
      num_parameters: params.num_parameters,
      config: params.config,
      cardData: params.cardData,
      inference: params.inference,
      inference_provider: params.inference_provider,
      apps: params.apps,
      limit: params.pageSize,
    },
  });
}

/**
 * List datasets. Private repositories are listed for those who may read them. Returns the entries of all pages,
 * asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listDatasets(
  params: Hub & {
    /** Texts that the full name contains, separated by blanks; case is ignored, and `-`, `_`, `.` are equal. */
    readonly search?: RouteQuery<typeof listing.listDatasets>['search'];
    /** The namespace. */
    readonly author?: string | undefined;
    /** Tags that all must be there; case is ignored. May be repeated. */
    readonly filter?: RouteQuery<typeof listing.listDatasets>['filter'];
    readonly sort?: RouteQuery<typeof listing.listDatasets>['sort'];
    /** `-1`: the highest or newest first. */
    readonly direction?: RouteQuery<typeof listing.listDatasets>['direction'];
    /** Whether to add the fields that take longer, such as the files. */
    readonly full?: boolean | undefined;
    /** Return only these fields. May be repeated. */
    readonly expand?: RouteQuery<typeof listing.listDatasets>['expand'];
    /** Whether access must be requested; `auto` or `manual`: how requests are handled. */
    readonly gated?: boolean | undefined;
    /** Repositories per page, at most 1000; at most 100 with `full` or with fields that are read from files. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof listing.listDatasets>, void, undefined> {
  return entriesOf<typeof listing.listDatasets>(params, {
    method: 'GET',
    path: '/api/datasets',
    query: {
      search: params.search,
      author: params.author,
      filter: params.filter,
      sort: params.sort,
      direction: params.direction,
      full: params.full,
      expand: params.expand,
      gated: params.gated,
      limit: params.pageSize,
    },
  });
}

/**
 * List Spaces. Private repositories are listed for those who may read them. Returns the entries of all pages,
 * asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listSpaces(
  params: Hub & {
    /** Texts that the full name contains, separated by blanks; case is ignored, and `-`, `_`, `.` are equal. */
    readonly search?: RouteQuery<typeof listing.listSpaces>['search'];
    /** The namespace. */
    readonly author?: string | undefined;
    /** Tags that all must be there; case is ignored. May be repeated. */
    readonly filter?: RouteQuery<typeof listing.listSpaces>['filter'];
    readonly sort?: RouteQuery<typeof listing.listSpaces>['sort'];
    /** `-1`: the highest or newest first. */
    readonly direction?: RouteQuery<typeof listing.listSpaces>['direction'];
    /** Whether to add the fields that take longer, such as the files. */
    readonly full?: boolean | undefined;
    /** Return only these fields. May be repeated. */
    readonly expand?: RouteQuery<typeof listing.listSpaces>['expand'];
    /** Models that the Space names in its README. */
    readonly models?: RouteQuery<typeof listing.listSpaces>['models'];
    /** Datasets that the Space names in its README. */
    readonly datasets?: RouteQuery<typeof listing.listSpaces>['datasets'];
    /** Whether to add `models` and `datasets`. */
    readonly linked?: boolean | undefined;
    /** Repositories per page, at most 1000; at most 100 with `full` or with fields that are read from files. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof listing.listSpaces>, void, undefined> {
  return entriesOf<typeof listing.listSpaces>(params, {
    method: 'GET',
    path: '/api/spaces',
    query: {
      search: params.search,
      author: params.author,
      filter: params.filter,
      sort: params.sort,
      direction: params.direction,
      full: params.full,
      expand: params.expand,
      models: params.models,
      datasets: params.datasets,
      linked: params.linked,
      limit: params.pageSize,
    },
  });
}

/**
 * List kernels. Private repositories are listed for those who may read them. Returns the entries of all pages,
 * asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listKernels(
  params: Hub & {
    /** Texts that the full name contains, separated by blanks; case is ignored, and `-`, `_`, `.` are equal. */
    readonly search?: RouteQuery<typeof listing.listKernels>['search'];
    /** The namespace. */
    readonly author?: string | undefined;
    /** Tags that all must be there; case is ignored. May be repeated. */
    readonly filter?: RouteQuery<typeof listing.listKernels>['filter'];
    readonly sort?: RouteQuery<typeof listing.listKernels>['sort'];
    /** `-1`: the highest or newest first. */
    readonly direction?: RouteQuery<typeof listing.listKernels>['direction'];
    /** Whether to add the fields that take longer, such as the files. */
    readonly full?: boolean | undefined;
    /** Return only these fields. May be repeated. */
    readonly expand?: RouteQuery<typeof listing.listKernels>['expand'];
    /** Repositories per page, at most 1000; at most 100 with `full` or with fields that are read from files. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof listing.listKernels>, void, undefined> {
  return entriesOf<typeof listing.listKernels>(params, {
    method: 'GET',
    path: '/api/kernels',
    query: {
      search: params.search,
      author: params.author,
      filter: params.filter,
      sort: params.sort,
      direction: params.direction,
      full: params.full,
      expand: params.expand,
      limit: params.pageSize,
    },
  });
}
