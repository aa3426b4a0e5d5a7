// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as bucketFiles from '@moonbase/contract/repositories/bucket-files';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { splitRepo } from '../repo-name.ts';
import { call, type Hub } from '../request.ts';

export * from '../bucket-files.ts';

export type BucketFile = SuccessAnswer<typeof bucketFiles.getBucketPathsInfo>[number];

/**
 * List the files of a bucket. In the order of the bytes of their paths. `Link: <…>; rel="next"` leads to the next
 * page. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listBucketTree(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    /** `true` (the default) lists all files; `false` the files and folders of one folder. */
    readonly recursive?: boolean | undefined;
    readonly sort?: RouteQuery<typeof bucketFiles.listBucketTree>['sort'];
    /** Entries on a page. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof bucketFiles.listBucketTree>, void, undefined> {
  return entriesOf<typeof bucketFiles.listBucketTree>(params, {
    method: 'GET',
    path: '/api/buckets/{namespace}/{repo}/tree',
    params: { ...splitRepo(params.repo) },
    query: { recursive: params.recursive, sort: params.sort, limit: params.pageSize },
  });
}

/**
 * List some files of a bucket. The files whose paths begin with the last part of the URL; with `recursive=false`,
 * what is in the folder of that name. In the order of the bytes of their paths. `Link: <…>; rel="next"` leads to
 * the next page. Returns the entries of all pages, asking for `pageSize` at a time.
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
    readonly sort?: RouteQuery<typeof bucketFiles.listBucketTreeBelow>['sort'];
    /** Entries on a page. */
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof bucketFiles.listBucketTreeBelow>, void, undefined> {
  return entriesOf<typeof bucketFiles.listBucketTreeBelow>(params, {
    method: 'GET',
    path: '/api/buckets/{namespace}/{repo}/tree/{rev}',
    params: { ...splitRepo(params.repo), rev: params.prefix },
    query: { recursive: params.recursive, sort: params.sort, limit: params.pageSize },
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
