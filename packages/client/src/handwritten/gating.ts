import type * as routes from '@moonbase/contract/repositories/access-requests';
import { repoParams } from '../repo-name.ts';
import { type Hub, send, urlOf } from '../request.ts';

interface Asking extends Hub {
  /** namespace/name */
  readonly repo: string;
  /** The answers to the form of the repository's card, by the names of its fields. */
  readonly fields?: Readonly<Record<string, string | boolean>>;
}

/**
 * Asks for access to the files of a gated model: accepted at once, or pending. Asking again changes nothing. Throws a
 * `HubApiError`: 400 for a missing answer, 401, 403 after a rejection, 404.
 */
export function askAccess(params: Asking): Promise<void> {
  const path: (typeof routes.askAccess)['path'] = '/{namespace}/{repo}/ask-access';
  return ask({ ...params, type: 'model' }, path);
}

/** Asks for access to the files of a gated repository of any type, as `askAccess` does. Throws a `HubApiError`. */
export function askAccessOfType(
  params: Asking & { readonly type: 'model' | 'dataset' | 'space' | 'kernel' },
): Promise<void> {
  const path: (typeof routes.askAccessOfType)['path'] = '/{repoType}/{namespace}/{repo}/ask-access';
  return ask(params, path);
}

async function ask(
  params: Asking & { readonly type: 'model' | 'dataset' | 'space' | 'kernel' },
  path: string,
): Promise<void> {
  const url = urlOf(params, { path, params: repoParams(params) });
  const response = await send(params, url, { method: 'POST', body: params.fields ?? {}, expectsRedirect: true });
  await response.body?.cancel();
}
