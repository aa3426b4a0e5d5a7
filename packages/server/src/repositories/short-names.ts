import { REPO_TYPE_SEGMENTS } from '@moonbase/contract/primitives';
import { repoNotFound } from '../access/index.ts';
import type { HubError } from '../platform/http/errors.ts';

const API = new RegExp(`^/api/(?:${REPO_TYPE_SEGMENTS.join('|')})(?=/)`);

/**
 * Returns the error for a path that would name a repository if it had a namespace, such as `/api/models/gpt2`: clients
 * understand that there is no such repository (C§1.4). Undefined for other paths.
 */
export function shortNameError(path: string, isRoute: (path: string) => boolean): HubError | undefined {
  const withNamespace = API.test(path) ? path.replace(API, '$&/_') : `/_${path}`;
  return isRoute(withNamespace) ? repoNotFound() : undefined;
}
