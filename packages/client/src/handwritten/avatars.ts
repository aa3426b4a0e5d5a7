import type * as routes from '@moonbase/contract/accounts/avatars';
import { type Hub, send, urlOf } from '../request.ts';

/** Returns the picture of a user or organization, following the hub's redirect. Throws a `HubApiError`: 404. */
export function getAvatar(params: Hub & { readonly namespace: string }): Promise<Blob> {
  const path: (typeof routes.getAvatar)['path'] = '/api/avatars/{namespace}';
  return picture(params, path, { namespace: params.namespace });
}

/**
 * Returns the SVG picture that the hub generates from an account's id; `file` is `<id>.svg`. Throws a `HubApiError`:
 * 400.
 */
export function getGeneratedAvatar(params: Hub & { readonly file: string }): Promise<Blob> {
  const path: (typeof routes.getGeneratedAvatar)['path'] = '/avatars/{file}';
  return picture(params, path, { file: params.file });
}

/** Returns an uploaded picture as WebP; `file` is `<SHA-256>.webp`. Throws a `HubApiError`: 400, 404. */
export function getUploadedAvatar(params: Hub & { readonly file: string }): Promise<Blob> {
  const path: (typeof routes.getUploadedAvatar)['path'] = '/avatars/uploaded/{file}';
  return picture(params, path, { file: params.file });
}

/** Fetches a picture without the token, because pictures are public and may be on other hosts. */
async function picture(hub: Hub, path: string, params: Record<string, string>): Promise<Blob> {
  const response = await send({ ...hub, accessToken: undefined }, urlOf(hub, { path, params }), { method: 'GET' });
  return response.blob();
}
