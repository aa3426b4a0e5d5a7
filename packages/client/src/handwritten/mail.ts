import type * as routes from '@moonbase/contract/notifications/mail';
import { type Hub, send, urlOf } from '../request.ts';

/** Returns the HTML page that a link in a mail opens. Needs no access token. Throws a `HubApiError`: 404. */
export async function getUnsubscribePage(params: Hub & { readonly token: string }): Promise<string> {
  const path: (typeof routes.getUnsubscribePage)['path'] = '/unsubscribe/{token}';
  const response = await send(params, urlOf(params, { path, params: { token: params.token } }), { method: 'GET' });
  return response.text();
}

/**
 * Unsubscribes from the kind of mail that the token of a link identifies. Needs no access token. Throws a
 * `HubApiError`: 404.
 */
export async function unsubscribe(params: Hub & { readonly token: string }): Promise<void> {
  const path: (typeof routes.unsubscribe)['path'] = '/unsubscribe/{token}';
  const response = await send(params, urlOf(params, { path, params: { token: params.token } }), { method: 'POST' });
  await response.body?.cancel();
}
