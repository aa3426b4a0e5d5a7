import type * as routes from '@moonbase/contract/large-files/lfs';
import { type Hub, send, urlOf } from './request.ts';

/** Returns the bytes at an address from `lfsBatch`. Throws a `HubApiError`: 403, 404. */
export async function getLargeFile(params: Hub & { readonly address: string }): Promise<Blob> {
  const path: (typeof routes.getLargeFile)['path'] = '/api/large-files/{address}';
  const url = urlOf(params, { path, params: { address: params.address } });
  const response = await send({ ...params, accessToken: undefined }, url, { method: 'GET' });
  return response.blob();
}
