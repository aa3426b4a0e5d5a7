import { HubError } from '../../platform/http/errors.ts';
import type { ResolvedPath } from './revisions.ts';

/** Returns 404 for a path that a commit does not have; the commit header lets clients cache the absence. */
export const entryNotFound = ({ commit, path, revision }: ResolvedPath) =>
  new HubError(404, `Entry not found: ${path || '/'} at ${revision}`, {
    code: 'EntryNotFound',
    headers: { 'x-repo-commit': commit },
  });
