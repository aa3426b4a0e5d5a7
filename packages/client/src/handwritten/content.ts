import type { compareRevisions as compareRoute } from '@moonbase/contract/content/comparing';
import type * as routes from '@moonbase/contract/content/files';
import type { BucketEvents, streamBucketChanges as changesRoute } from '@moonbase/contract/repositories/bucket-events';
import type { downloadBucketFile as bucketRoute } from '@moonbase/contract/repositories/bucket-files';
import type { streamSpaceLogs as logsRoute, SpaceLogLine } from '@moonbase/contract/repositories/space-runtime';
import { repoParams, splitRepo } from '../repo-name.ts';
import { type Hub, send, urlOf } from '../request.ts';
import { dataIn, type NamedEvent, namedEventsIn } from '../streams/event-stream.ts';

export type { BucketChange } from '@moonbase/contract/repositories/bucket-events';
export type { SpaceLogLine } from '@moonbase/contract/repositories/space-runtime';

interface FileParams extends Hub {
  /** namespace/name */
  readonly repo: string;
  /** A revision and the path of a file: `main/folder/file.txt`. */
  readonly revisionAndPath: string;
}

type OtherFile = FileParams & { readonly type: 'dataset' | 'space' | 'kernel' };

/** Downloads a file of a model. Throws a `HubApiError`: 400, 401, 404. */
export function downloadModelFile(params: FileParams): Promise<Blob> {
  const path: (typeof routes.downloadModelFile)['path'] = '/{namespace}/{repo}/resolve/{rev}';
  return download({ ...params, type: 'model' }, path);
}

/** Downloads a file of a dataset, Space or kernel. Throws a `HubApiError`: 400, 401, 404. */
export function downloadFile(params: OtherFile): Promise<Blob> {
  const path: (typeof routes.downloadFile)['path'] = '/{repoType}/{namespace}/{repo}/resolve/{rev}';
  return download(params, path);
}

/** Downloads a file at a commit, as `downloadFile` does. Throws a `HubApiError`: 400, 401, 404. */
export function downloadCachedFile(
  params: FileParams & { readonly type: 'model' | 'dataset' | 'space' },
): Promise<Blob> {
  const path: (typeof routes.downloadCachedFile)['path'] = '/api/resolve-cache/{repoType}/{namespace}/{repo}/{rev}';
  return download(params, path);
}

/**
 * Downloads a file of a model as stored in git: for a large file, its pointer. Throws a `HubApiError`: 400, 401, 404.
 */
export function downloadRawModelFile(params: FileParams): Promise<Blob> {
  const path: (typeof routes.downloadRawModelFile)['path'] = '/{namespace}/{repo}/raw/{rev}';
  return download({ ...params, type: 'model' }, path);
}

/** Downloads a file of a dataset, Space or kernel as stored in git. Throws a `HubApiError`: 400, 401, 404. */
export function downloadRawFile(params: OtherFile): Promise<Blob> {
  const path: (typeof routes.downloadRawFile)['path'] = '/{repoType}/{namespace}/{repo}/raw/{rev}';
  return download(params, path);
}

/** Downloads a file of a bucket. Throws a `HubApiError`: 400, 401, 404. */
export async function downloadBucketFile(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly path: string;
  },
): Promise<Blob> {
  const path: (typeof bucketRoute)['path'] = '/buckets/{namespace}/{repo}/resolve/{rev}';
  const at = { path, params: { ...splitRepo(params.repo), rev: params.path } };
  const response = await send(params, urlOf(params, at), { method: 'GET' });
  return response.blob();
}

/** An event of a stream of a bucket: changes, or what it says of itself. */
export type BucketEvent = NamedEvent<BucketEvents>;

/**
 * Yields the changes of a bucket as they happen: after those of `cursor`, from the time `since` on, or from now on. Ends when
 * the hub stops, the connection breaks, the caller can no longer read the bucket, or `signal` aborts. Throws a `HubApiError`:
 * 400, 401, 403, 404, 429.
 */
export async function* streamBucketChanges(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly cursor?: string | undefined;
    /** For example `2026-01-31T12:00:00.000Z`. */
    readonly since?: string | undefined;
  },
): AsyncGenerator<BucketEvent, void, undefined> {
  const path: (typeof changesRoute)['path'] = '/api/buckets/{namespace}/{repo}/events';
  const { repo, cursor, since } = params;
  const url = urlOf(params, { path, params: splitRepo(repo), query: { cursor, since } });
  yield* namedEventsIn<BucketEvents>(await send(params, url, { method: 'GET' }));
}

/** Compares two revisions of a repository. Returns a unified diff. Throws a `HubApiError`: 400, 401, 404. */
export async function compareRevisions(
  params: Hub & {
    readonly type: 'model' | OtherFile['type'];
    /** namespace/name */
    readonly repo: string;
    /** `a..b`, or `a...b` for the changes on b since its common ancestor with a. */
    readonly compared: string;
  },
): Promise<string> {
  const path: (typeof compareRoute)['path'] = '/api/{repoType}/{namespace}/{repo}/compare/{rev}';
  const at = { path, params: { ...repoParams(params), rev: params.compared } };
  const response = await send(params, urlOf(params, at), { method: 'GET' });
  return response.text();
}

/** Yields the log of a Space: the line that says that the hub does not run Spaces. Throws a `HubApiError`: 401, 403, 404. */
export async function* streamSpaceLogs(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly kind: 'build' | 'run';
  },
): AsyncGenerator<SpaceLogLine, void, undefined> {
  const path: (typeof logsRoute)['path'] = '/api/spaces/{namespace}/{repo}/logs/{kind}';
  const url = urlOf(params, { path, params: { ...splitRepo(params.repo), kind: params.kind } });
  yield* dataIn<SpaceLogLine>(await send(params, url, { method: 'GET' }));
}

async function download(
  params: FileParams & { readonly type: 'model' | OtherFile['type'] },
  path: string,
): Promise<Blob> {
  const at = { path, params: { ...repoParams(params), rev: params.revisionAndPath } };
  const response = await send(params, urlOf(params, at), { method: 'GET' });
  return response.blob();
}
