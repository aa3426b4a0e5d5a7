import type * as routes from '@moonbase/contract/repositories/bucket-files';
import { splitRepo } from './repo-name.ts';
import { type Hub, send, urlOf } from './request.ts';

/** Downloads a file of a bucket. Throws a `HubApiError`: 400, 401, 404. */
export async function downloadBucketFile(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly path: string;
  },
): Promise<Blob> {
  const path: (typeof routes.downloadBucketFile)['path'] = '/buckets/{namespace}/{repo}/resolve/{rev}';
  const at = { path, params: { ...splitRepo(params.repo), rev: params.path } };
  const response = await send(params, urlOf(params, at), { method: 'GET' });
  return response.blob();
}
