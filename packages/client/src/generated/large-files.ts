// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as largeFiles from '@moonbase/contract/large-files/large-files';
import type * as lfs from '@moonbase/contract/large-files/lfs';
import type * as locks from '@moonbase/contract/large-files/locks';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { repoParams, splitRepo } from '../repo-name.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/large-files.ts';

export type LfsLock = SuccessAnswer<typeof locks.lockFile>['lock'];

export type LargeFile = SuccessAnswer<typeof largeFiles.listLargeFiles>[number];

/**
 * Get URLs to upload or download large files of a model. The batch call of git LFS. An upload needs no action if
 * the repository has the file. Otherwise the bytes are sent to the URL by PUT, without further headers; with
 * `multipart` among the transfers a large file is sent in parts. Where the hub sends files through Xet,
 * `@huggingface/hub` is told to send them through it, too (`xet`): the URL is that of a token.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 413.
 * - 413: The quota of the owner of the repository, or of whoever may only propose the files, is exceeded.
 */
export function lfsBatch(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly operation: RouteBody<typeof lfs.lfsBatch>['operation'];
    readonly transfers?: RouteBody<typeof lfs.lfsBatch>['transfers'];
    readonly objects: RouteBody<typeof lfs.lfsBatch>['objects'];
    readonly hash_algo?: RouteBody<typeof lfs.lfsBatch>['hash_algo'];
    readonly ref?: RouteBody<typeof lfs.lfsBatch>['ref'];
  },
): Promise<SuccessAnswer<typeof lfs.lfsBatch>> {
  return call<typeof lfs.lfsBatch>(params, {
    method: 'POST',
    path: '/{namespace}/{repo}.git/info/lfs/objects/batch',
    params: { ...splitRepo(params.repo) },
    body: {
      operation: params.operation,
      transfers: params.transfers,
      objects: params.objects,
      hash_algo: params.hash_algo,
      ref: params.ref,
    },
  });
}

/**
 * Get URLs to upload or download large files of a dataset, Space or kernel. The batch call of git LFS. An upload
 * needs no action if the repository has the file. Otherwise the bytes are sent to the URL by PUT, without further
 * headers; with `multipart` among the transfers a large file is sent in parts. Where the hub sends files through
 * Xet, `@huggingface/hub` is told to send them through it, too (`xet`): the URL is that of a token.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 413.
 * - 413: The quota of the owner of the repository, or of whoever may only propose the files, is exceeded.
 */
export function lfsBatchOfType(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly operation: RouteBody<typeof lfs.lfsBatchOfType>['operation'];
    readonly transfers?: RouteBody<typeof lfs.lfsBatchOfType>['transfers'];
    readonly objects: RouteBody<typeof lfs.lfsBatchOfType>['objects'];
    readonly hash_algo?: RouteBody<typeof lfs.lfsBatchOfType>['hash_algo'];
    readonly ref?: RouteBody<typeof lfs.lfsBatchOfType>['ref'];
  },
): Promise<SuccessAnswer<typeof lfs.lfsBatchOfType>> {
  return call<typeof lfs.lfsBatchOfType>(params, {
    method: 'POST',
    path: '/{repoType}/{namespace}/{repo}.git/info/lfs/objects/batch',
    params: { ...repoParams(params) },
    body: {
      operation: params.operation,
      transfers: params.transfers,
      objects: params.objects,
      hash_algo: params.hash_algo,
      ref: params.ref,
    },
  });
}

/**
 * Check that a model has a large file.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 422.
 * - 422: The file in the repository has another size.
 */
export function verifyLfsUpload(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    /** SHA-256 in lower-case hexadecimal characters. */
    readonly oid: string;
    readonly size: number;
  },
): Promise<SuccessAnswer<typeof lfs.verifyLfsUpload>> {
  return call<typeof lfs.verifyLfsUpload>(params, {
    method: 'POST',
    path: '/{namespace}/{repo}.git/info/lfs/objects/verify',
    params: { ...splitRepo(params.repo) },
    body: { oid: params.oid, size: params.size },
  });
}

/**
 * Check that a dataset, Space or kernel has a large file.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 422.
 * - 422: The file in the repository has another size.
 */
export function verifyLfsUploadOfType(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** SHA-256 in lower-case hexadecimal characters. */
    readonly oid: string;
    readonly size: number;
  },
): Promise<SuccessAnswer<typeof lfs.verifyLfsUploadOfType>> {
  return call<typeof lfs.verifyLfsUploadOfType>(params, {
    method: 'POST',
    path: '/{repoType}/{namespace}/{repo}.git/info/lfs/objects/verify',
    params: { ...repoParams(params) },
    body: { oid: params.oid, size: params.size },
  });
}

/**
 * Upload a large file or a part of one. At a URL from a batch call, which needs no further credentials. The
 * response has an ETag.
 *
 * Throws a `HubApiError`: 400, 403, 404, 507.
 * - 403: The address is not one that the hub gave for this, or has expired.
 * - 507: The storage of the hub is full.
 */
export function putLargeFile(
  params: Hub & {
    readonly address: string;
    readonly file: Blob;
  },
): Promise<SuccessAnswer<typeof lfs.putLargeFile>> {
  return call<typeof lfs.putLargeFile>(params, {
    method: 'PUT',
    path: '/api/large-files/{address}',
    params: { address: params.address },
    rawBody: params.file,
  });
}

/**
 * Complete a large file from its parts. At a URL from a batch call, with the ETag of each part.
 *
 * Throws a `HubApiError`: 400, 403, 404, 409, 507.
 * - 403: The address is not one that the hub gave for this, or has expired.
 * - 507: The storage of the hub is full.
 */
export function completeLargeFile(
  params: Hub & {
    readonly address: string;
    /** SHA-256 in lower-case hexadecimal characters. */
    readonly oid: string;
    readonly parts: RouteBody<typeof lfs.completeLargeFile>['parts'];
  },
): Promise<SuccessAnswer<typeof lfs.completeLargeFile>> {
  return call<typeof lfs.completeLargeFile>(params, {
    method: 'POST',
    path: '/api/large-files/{address}',
    params: { address: params.address },
    body: { oid: params.oid, parts: params.parts },
  });
}

/**
 * Lock a path of a model. As `git lfs lock` does. Nobody else can then commit a change of the path, by push or by
 * API, until it is unlocked. The path may be new.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 422.
 * - 409: The path is locked already: `lock` says by whom. Or the repository has too many locks.
 * - 422: The path is not valid.
 */
export function lockFile(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly path: string;
    /** Ignored: a lock holds for all branches. */
    readonly ref?: RouteBody<typeof locks.lockFile>['ref'];
  },
): Promise<SuccessAnswer<typeof locks.lockFile>> {
  return call<typeof locks.lockFile>(params, {
    method: 'POST',
    path: '/{namespace}/{repo}.git/info/lfs/locks',
    params: { ...splitRepo(params.repo) },
    body: { path: params.path, ref: params.ref },
  });
}

/**
 * Lock a path of a dataset, Space or kernel. As `git lfs lock` does. Nobody else can then commit a change of the
 * path, by push or by API, until it is unlocked. The path may be new.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 422.
 * - 409: The path is locked already: `lock` says by whom. Or the repository has too many locks.
 * - 422: The path is not valid.
 */
export function lockFileOfType(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly path: string;
    /** Ignored: a lock holds for all branches. */
    readonly ref?: RouteBody<typeof locks.lockFileOfType>['ref'];
  },
): Promise<SuccessAnswer<typeof locks.lockFileOfType>> {
  return call<typeof locks.lockFileOfType>(params, {
    method: 'POST',
    path: '/{repoType}/{namespace}/{repo}.git/info/lfs/locks',
    params: { ...repoParams(params) },
    body: { path: params.path, ref: params.ref },
  });
}

/**
 * List the locked paths of a model by whose they are. Tells the locks of the caller from those of others, as
 * git-lfs asks before each push.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function verifyLocks(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    /** Ignored: a lock holds for all branches. */
    readonly ref?: RouteBody<typeof locks.verifyLocks>['ref'];
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  },
): Promise<SuccessAnswer<typeof locks.verifyLocks>> {
  return call<typeof locks.verifyLocks>(params, {
    method: 'POST',
    path: '/{namespace}/{repo}.git/info/lfs/locks/verify',
    params: { ...splitRepo(params.repo) },
    body: { ref: params.ref, cursor: params.cursor, limit: params.limit },
  });
}

/**
 * List the locked paths of a dataset, Space or kernel by whose they are. Tells the locks of the caller from those
 * of others, as git-lfs asks before each push.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function verifyLocksOfType(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** Ignored: a lock holds for all branches. */
    readonly ref?: RouteBody<typeof locks.verifyLocksOfType>['ref'];
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  },
): Promise<SuccessAnswer<typeof locks.verifyLocksOfType>> {
  return call<typeof locks.verifyLocksOfType>(params, {
    method: 'POST',
    path: '/{repoType}/{namespace}/{repo}.git/info/lfs/locks/verify',
    params: { ...repoParams(params) },
    body: { ref: params.ref, cursor: params.cursor, limit: params.limit },
  });
}

/**
 * Unlock a path of a model. As `git lfs unlock` does. The locks of others need `force` and the role admin on the
 * repository.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function unlockFile(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    /** The id of the lock. */
    readonly lockId: string;
    readonly force?: boolean | undefined;
    /** Ignored: a lock holds for all branches. */
    readonly ref?: RouteBody<typeof locks.unlockFile>['ref'];
  },
): Promise<SuccessAnswer<typeof locks.unlockFile>> {
  return call<typeof locks.unlockFile>(params, {
    method: 'POST',
    path: '/{namespace}/{repo}.git/info/lfs/locks/{lockId}/unlock',
    params: { ...splitRepo(params.repo), lockId: params.lockId },
    body: { force: params.force, ref: params.ref },
  });
}

/**
 * Unlock a path of a dataset, Space or kernel. As `git lfs unlock` does. The locks of others need `force` and the
 * role admin on the repository.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function unlockFileOfType(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** The id of the lock. */
    readonly lockId: string;
    readonly force?: boolean | undefined;
    /** Ignored: a lock holds for all branches. */
    readonly ref?: RouteBody<typeof locks.unlockFileOfType>['ref'];
  },
): Promise<SuccessAnswer<typeof locks.unlockFileOfType>> {
  return call<typeof locks.unlockFileOfType>(params, {
    method: 'POST',
    path: '/{repoType}/{namespace}/{repo}.git/info/lfs/locks/{lockId}/unlock',
    params: { ...repoParams(params), lockId: params.lockId },
    body: { force: params.force, ref: params.ref },
  });
}

/**
 * List the large files of a repository. Last pushed first. Returns the entries of all pages, asking for `pageSize`
 * at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listLargeFiles(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof largeFiles.listLargeFiles>, void, undefined> {
  return entriesOf<typeof largeFiles.listLargeFiles>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/lfs-files',
    params: { ...repoParams(params) },
    query: { limit: params.pageSize },
  });
}

/**
 * Delete a large file of a repository. The file can no longer be downloaded from this repository. With
 * `rewriteHistory` it is also removed from every commit: all refs that led to it move to new commits. Otherwise
 * commits with the file stay unchanged.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteLargeFile(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** SHA-256 in lower-case hexadecimal characters. */
    readonly sha: string;
    /** Whether the file is also removed from commits (default: no). */
    readonly rewriteHistory?: RouteQuery<typeof largeFiles.deleteLargeFile>['rewriteHistory'];
  },
): Promise<SuccessAnswer<typeof largeFiles.deleteLargeFile>> {
  return call<typeof largeFiles.deleteLargeFile>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/lfs-files/{sha}',
    params: { ...repoParams(params), sha: params.sha },
    query: { rewriteHistory: params.rewriteHistory },
  });
}

/**
 * Delete large files of a repository. At most 1000. Unless `rewriteHistory` is false, the files are also removed
 * from every commit, and all refs that led to them move to new commits. Unknown files are ignored.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function deleteLargeFiles(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly deletions: RouteBody<typeof largeFiles.deleteLargeFiles>['deletions'];
  },
): Promise<SuccessAnswer<typeof largeFiles.deleteLargeFiles>> {
  return call<typeof largeFiles.deleteLargeFiles>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/lfs-files/batch',
    params: { ...repoParams(params) },
    body: { deletions: params.deletions },
  });
}

/**
 * Copy large files from a repository or a bucket to a repository. Needs the right to read the files of the first
 * and to write to the second, whose owner has to have room. No bytes are copied; a commit then gives the files
 * their paths. A bucket takes files by lines `copyFile` of `changeBucketFiles`.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function duplicateLargeFiles(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly target: RouteBody<typeof largeFiles.duplicateLargeFiles>['target'];
    readonly files: RouteBody<typeof largeFiles.duplicateLargeFiles>['files'];
  },
): Promise<SuccessAnswer<typeof largeFiles.duplicateLargeFiles>> {
  return call<typeof largeFiles.duplicateLargeFiles>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/lfs-files/duplicate',
    params: { ...repoParams(params) },
    body: { target: params.target, files: params.files },
  });
}
