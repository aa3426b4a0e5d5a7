import type * as routes from '@moonbase/contract/accounts/avatars';
import { type Hub, send, urlOf } from './request.ts';

/** The picture of a user or organization, fetched from where the hub redirects to. Throws a `HubApiError`: 404. */
export function getAvatar(params: Hub & { readonly namespace: string }): Promise<Blob> {
  const path: (typeof routes.getAvatar)['path'] = '/api/avatars/{namespace}';
  return picture(params, path, { namespace: params.namespace });
}

/** The picture that the hub makes from an account's id, as SVG; `file` is `<id>.svg`. Throws a `HubApiError`: 400. */
export function getGeneratedAvatar(params: Hub & { readonly file: string }): Promise<Blob> {
  const path: (typeof routes.getGeneratedAvatar)['path'] = '/avatars/{file}';
  return picture(params, path, { file: params.file });
}

/** An uploaded picture, as WebP; `file` is `<SHA-256>.webp`. Throws a `HubApiError`: 400, 404. */
export function getUploadedAvatar(params: Hub & { readonly file: string }): Promise<Blob> {
  const path: (typeof routes.getUploadedAvatar)['path'] = '/avatars/uploaded/{file}';
  return picture(params, path, { file: params.file });
}

/** Pictures are public and may be elsewhere: the token stays at home. */
async function picture(hub: Hub, path: string, params: Record<string, string>): Promise<Blob> {
  const response = await send({ ...hub, accessToken: undefined }, urlOf(hub, { path, params }), { method: 'GET' });
  return response.blob();
}
