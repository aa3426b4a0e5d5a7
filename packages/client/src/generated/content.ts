// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as cards from '@moonbase/contract/content/cards';
import type * as committing from '@moonbase/contract/content/committing';
import type * as reading from '@moonbase/contract/content/reading';
import type * as starting from '@moonbase/contract/content/starting';
import type * as storage from '@moonbase/contract/content/storage';
import type * as bucketFiles from '@moonbase/contract/repositories/bucket-files';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { repoParams, splitRepo } from '../repo-name.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/content.ts';

export type TreeItem = SuccessAnswer<typeof reading.listTree>[number];

export type RepoStorage = SuccessAnswer<typeof storage.getRepoStorage>;

export type BucketFile = SuccessAnswer<typeof bucketFiles.getBucketPathsInfo>[number];

/**
 * List files and folders. The path of a folder may follow the revision. `Link: <…>; rel="next"` leads to the next
 * page. Codes `RevisionNotFound` and `EntryNotFound`. Returns the entries of all pages, asking for `pageSize` at a
 * time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 429, 504.
 * - 429: Too much is being read from the upstream; `Retry-After` says when to try again.
 * - 504: Only the upstream can have it, and it does not answer.
 */
export function listTree(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly revision: string;
    /** Also list the content of folders. */
    readonly recursive?: boolean | undefined;
    /** Include `lastCommit` of each entry; pages are smaller then. */
    readonly expand?: boolean | undefined;
    /** Entries on a page: at most 1000, with `expand` 50. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof reading.listTree>, void, undefined> {
  return entriesOf<typeof reading.listTree>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/tree/{rev}',
    params: { ...repoParams(params), rev: params.revision },
    query: { recursive: params.recursive, expand: params.expand, limit: params.pageSize },
  });
}

/**
 * Get some files and folders. By path, at most 2000. Missing ones are omitted.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 429, 504.
 * - 429: Too much is being read from the upstream; `Retry-After` says when to try again.
 * - 504: Only the upstream can have it, and it does not answer.
 */
export function getPathsInfo(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly revision: string;
    readonly paths: RouteBody<typeof reading.getPathsInfo>['paths'];
    readonly expand?: RouteBody<typeof reading.getPathsInfo>['expand'];
  },
): Promise<SuccessAnswer<typeof reading.getPathsInfo>> {
  return call<typeof reading.getPathsInfo>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/paths-info/{rev}',
    params: { ...repoParams(params), rev: params.revision },
    body: { paths: params.paths, expand: params.expand },
  });
}

/**
 * List commits. Newest first. `X-Total-Count` is their number; `Link: <…>; rel="next"` leads to the next page.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listCommits(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly revision: string;
    /** The number of the page, starting with 0. */
    readonly page?: number | undefined;
    /** `formatted` */
    readonly expand?: RouteQuery<typeof reading.listCommits>['expand'];
    /** Commits on a page, 50 by default. */
    readonly limit?: number | undefined;
  },
): Promise<SuccessAnswer<typeof reading.listCommits>> {
  return call<typeof reading.listCommits>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/commits/{rev}',
    params: { ...repoParams(params), rev: params.revision },
    query: { p: params.page, expand: params.expand, limit: params.limit },
  });
}

/**
 * Get the total size of the files in a folder. The path of a folder or file follows the revision; no path means
 * all files. Large files count with their real sizes. Codes `RevisionNotFound` and `EntryNotFound`.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getTreeSize(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly revisionAndPath: string;
  },
): Promise<SuccessAnswer<typeof reading.getTreeSize>> {
  return call<typeof reading.getTreeSize>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/treesize/{rev}',
    params: { ...repoParams(params), rev: params.revisionAndPath },
  });
}

/**
 * Get how files must be uploaded. For each of at most 1000 files: within the commit, or as a large file before it.
 * Patterns are read as git reads them; lines of 2,048 bytes or more, and files of the repository above 256 KiB,
 * are ignored.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 422.
 * - 422: A path is not allowed in repositories, or the patterns take too long to match.
 */
export function preupload(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly revision: string;
    /** Whether it is for a pull request that does not exist yet. */
    readonly createPullRequest?: boolean | undefined;
    readonly files: RouteBody<typeof committing.preupload>['files'];
    /** Replaces the file `.gitattributes`. */
    readonly gitAttributes?: string | undefined;
    /** Takes precedence over the file `.gitignore`. */
    readonly gitIgnore?: string | undefined;
  },
): Promise<SuccessAnswer<typeof committing.preupload>> {
  return call<typeof committing.preupload>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/preupload/{rev}',
    params: { ...repoParams(params), rev: params.revision },
    query: { create_pr: params.createPullRequest },
    body: { files: params.files, gitAttributes: params.gitAttributes, gitIgnore: params.gitIgnore },
  });
}

/**
 * Commit files to a branch or a pull request. Atomic. 412 if `parentCommit` is no longer the head of the branch;
 * without it, the operations are applied to the present head. A commit that changes nothing returns the head.
 * Deletions of missing files get code `EntryNotFound`. With `create_pr` the commit opens a pull request to the
 * branch. Everybody who may read the repository can do so, and commit to their own pull requests (`refs/pr/N`),
 * with the permission `discussion.write`.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 412, 413, 422, 501.
 * - 409: A file is in the place of a folder or vice versa, or concurrent commits keep interfering.
 * - 412: `parentCommit` is not the head of the branch.
 * - 413: The owner of the repository has no room for large files that somebody else proposed.
 * - 422: A path is not allowed in repositories.
 * - 501: With `hot_reload`: this hub does not run Spaces.
 */
export function createCommit(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly branch: string;
    /** Whether it is for a pull request that does not exist yet. */
    readonly createPullRequest?: boolean | undefined;
    readonly operations: Blob;
  },
): Promise<SuccessAnswer<typeof committing.createCommit>> {
  return call<typeof committing.createCommit>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/commit/{rev}',
    params: { ...repoParams(params), rev: params.branch },
    query: { create_pr: params.createPullRequest },
    rawBody: params.operations,
  });
}

/**
 * Replace the history of a branch or a pull request by one commit. The revision is a branch, or `refs/pr/N` of a
 * pull request that accepts commits. The commit has the same files and no parents. This cannot be undone: earlier
 * commits disappear unless another ref leads to them.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: Other commits keep arriving, or the pull request is closed or merged.
 */
export function squashBranch(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly branch: string;
    /** The message of the commit. */
    readonly message?: string | undefined;
  },
): Promise<SuccessAnswer<typeof committing.squashBranch>> {
  return call<typeof committing.squashBranch>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/super-squash/{rev}',
    params: { ...repoParams(params), rev: params.branch },
    body: { message: params.message },
  });
}

/**
 * Duplicate a repository. Creates a repository of the same type with the branches, tags, commits and large files
 * of this one, but without its pull requests. No bytes of large files are copied; they count for the owner of the
 * new repository as well. A new Space has the variables of this one, and those of the request; its secrets and
 * volumes are those of the request alone.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 501.
 * - 501: Hardware for a Space: this hub does not run them.
 */
export function duplicateRepo(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** namespace/name */
    readonly to: string;
    /** Defaults to the value of this repository. Cannot be combined with `visibility`. */
    readonly private?: RouteBody<typeof starting.duplicateRepo>['private'];
    /** `protected` is for Spaces only and means private on this hub. */
    readonly visibility?: RouteBody<typeof starting.duplicateRepo>['visibility'];
    readonly resourceGroupId?: RouteBody<typeof starting.duplicateRepo>['resourceGroupId'];
    /** Spaces only. Secrets that the Space begins with; stored encrypted. */
    readonly secrets?: RouteBody<typeof starting.duplicateRepo>['secrets'];
    /** Spaces only. Variables that the Space begins with. */
    readonly variables?: RouteBody<typeof starting.duplicateRepo>['variables'];
    /** Spaces only. Volumes that the Space begins with. */
    readonly volumes?: RouteBody<typeof starting.duplicateRepo>['volumes'];
    /** 501: this hub does not run Spaces. */
    readonly hardware?: string | undefined;
    /** As `hardware`. */
    readonly storageTier?: string | undefined;
    /** As `hardware`. */
    readonly sleepTimeSeconds?: number | undefined;
  },
): Promise<SuccessAnswer<typeof starting.duplicateRepo>> {
  return call<typeof starting.duplicateRepo>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/duplicate',
    params: { ...repoParams(params) },
    body: {
      repository: params.to,
      private: params.private,
      visibility: params.visibility,
      resourceGroupId: params.resourceGroupId,
      secrets: params.secrets,
      variables: params.variables,
      volumes: params.volumes,
      hardware: params.hardware,
      storageTier: params.storageTier,
      sleepTimeSeconds: params.sleepTimeSeconds,
    },
  });
}

/**
 * Check the metadata of a README. Clients ask before they commit a README, some of them without a token. 400 with
 * `errors`, a list of messages, where the metadata is not sound; a commit of it is not refused. Who accepts
 * `text/plain` gets the messages as lines.
 *
 * Throws a `HubApiError`: 400, 409.
 */
export function validateCard(
  params: Hub & {
    readonly content: string;
    readonly type?: RouteBody<typeof cards.validateCard>['repoType'];
  },
): Promise<SuccessAnswer<typeof cards.validateCard>> {
  return call<typeof cards.validateCard>(params, {
    method: 'POST',
    path: '/api/validate-yaml',
    body: { content: params.content, repoType: params.type },
  });
}

/**
 * Get the storage of a repository and the state of its maintenance.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getRepoStorage(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof storage.getRepoStorage>> {
  return call<typeof storage.getRepoStorage>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/storage',
    params: { ...repoParams(params) },
  });
}

/**
 * Request maintenance of a repository. The hub packs the repository soon, and deletes the objects to which no ref
 * has led for two weeks; `GET …/storage` says when it is done.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function maintainRepo(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof storage.maintainRepo>> {
  return call<typeof storage.maintainRepo>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/maintenance',
    params: { ...repoParams(params) },
  });
}

/**
 * Request maintenance of a repository by its id. For a repository that the log names, which need not be visible to
 * the caller. The hub packs the repository soon, and deletes the objects to which no ref has led for two weeks;
 * `GET …/storage` says when it is done.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function maintainRepoById(
  params: Hub & {
    /** Object id: 24 lower-case hexadecimal characters. */
    readonly id: string;
  },
): Promise<SuccessAnswer<typeof storage.maintainRepoById>> {
  return call<typeof storage.maintainRepoById>(params, {
    method: 'POST',
    path: '/api/admin/repositories/{id}/maintenance',
    params: { id: params.id },
  });
}

/**
 * List the files of a bucket. In the order of the bytes of their paths, or the last uploaded ones first. `Link:
 * <…>; rel="next"` leads to the next page. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listBucketTree(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    /** `true` (the default) lists all files; `false` the files and folders of one folder. */
    readonly recursive?: boolean | undefined;
    /** `uploadedAt` lists all files of a bucket: neither with a prefix nor with `recursive=false`. */
    readonly sort?: RouteQuery<typeof bucketFiles.listBucketTree>['sort'];
    /** By default `asc` for `path`, and `desc` for `uploadedAt`. Folders are listed in ascending order only. */
    readonly direction?: RouteQuery<typeof bucketFiles.listBucketTree>['direction'];
    /** Entries on a page. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof bucketFiles.listBucketTree>, void, undefined> {
  return entriesOf<typeof bucketFiles.listBucketTree>(params, {
    method: 'GET',
    path: '/api/buckets/{namespace}/{repo}/tree',
    params: { ...splitRepo(params.repo) },
    query: { recursive: params.recursive, sort: params.sort, direction: params.direction, limit: params.pageSize },
  });
}

/**
 * List some files of a bucket. The files whose paths begin with the last part of the URL; with `recursive=false`,
 * what is in the folder of that name. In the order of the bytes of their paths, or the last uploaded ones first.
 * `Link: <…>; rel="next"` leads to the next page. Returns the entries of all pages, asking for `pageSize` at a
 * time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listBucketTreeBelow(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly prefix: string;
    /** `true` (the default) lists all files; `false` the files and folders of one folder. */
    readonly recursive?: boolean | undefined;
    /** `uploadedAt` lists all files of a bucket: neither with a prefix nor with `recursive=false`. */
    readonly sort?: RouteQuery<typeof bucketFiles.listBucketTreeBelow>['sort'];
    /** By default `asc` for `path`, and `desc` for `uploadedAt`. Folders are listed in ascending order only. */
    readonly direction?: RouteQuery<typeof bucketFiles.listBucketTreeBelow>['direction'];
    /** Entries on a page. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof bucketFiles.listBucketTreeBelow>, void, undefined> {
  return entriesOf<typeof bucketFiles.listBucketTreeBelow>(params, {
    method: 'GET',
    path: '/api/buckets/{namespace}/{repo}/tree/{rev}',
    params: { ...splitRepo(params.repo), rev: params.prefix },
    query: { recursive: params.recursive, sort: params.sort, direction: params.direction, limit: params.pageSize },
  });
}

/**
 * Get some files of a bucket. By path, at most 2000. Missing ones and folders are omitted.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function getBucketPathsInfo(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly paths: RouteBody<typeof bucketFiles.getBucketPathsInfo>['paths'];
  },
): Promise<SuccessAnswer<typeof bucketFiles.getBucketPathsInfo>> {
  return call<typeof bucketFiles.getBucketPathsInfo>(params, {
    method: 'POST',
    path: '/api/buckets/{namespace}/{repo}/paths-info',
    params: { ...splitRepo(params.repo) },
    body: { paths: params.paths },
  });
}

/**
 * Add, copy and delete files of a bucket. The lines count one after the other, and each for itself: a line that
 * cannot be done is among `failed`. The bytes of added files are sent before, through Xet with a token of
 * `getBucketXetWriteToken`, and are kept for a day until a line names them. A copied file needs no bytes: the
 * caller must be able to read its source. A file in the same place is replaced; deleting what is not there
 * succeeds. The same lines can be sent again.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 422.
 * - 422: No line could be done; the body has the fields of 200 as well.
 */
export function changeBucketFiles(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly operations: Blob;
  },
): Promise<SuccessAnswer<typeof bucketFiles.changeBucketFiles>> {
  return call<typeof bucketFiles.changeBucketFiles>(params, {
    method: 'POST',
    path: '/api/buckets/{namespace}/{repo}/batch',
    params: { ...splitRepo(params.repo) },
    rawBody: params.operations,
  });
}
