import type * as routes from '@moonbase/contract/accounts/personal-data';
import { type Hub, send, urlOf } from '../request.ts';

/** The personal data of a user: one JSON object a line, in pieces of text, and a name for the file. */
export interface PersonalData {
  readonly fileName: string | undefined;
  readonly text: ReadableStream<Uint8Array>;
}

/** Downloads the personal data of the caller. Throws a `HubApiError`: 401, 403, 429, 503. */
export function exportOwnData(params: Hub): Promise<PersonalData> {
  const path: (typeof routes.exportOwnData)['path'] = '/api/settings/export';
  return download(params, urlOf(params, { path }));
}

/** Downloads the personal data of a user, for site administrators. Throws a `HubApiError`: 400, 401, 403, 404, 429, 503. */
export function exportUserData(params: Hub & { readonly username: string }): Promise<PersonalData> {
  const path: (typeof routes.exportUserData)['path'] = '/api/admin/users/{username}/export';
  return download(params, urlOf(params, { path, params: { username: params.username } }));
}

async function download(hub: Hub, url: string): Promise<PersonalData> {
  const response = await send(hub, url, { method: 'GET' });
  if (!response.body) throw new TypeError('The answer has no body');
  const fileName = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { fileName, text: response.body };
}
