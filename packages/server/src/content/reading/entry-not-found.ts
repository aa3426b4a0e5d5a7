import { HubError } from '../../platform/http/errors.ts';
import type { At } from './revisions.ts';

/** 404 for a path that a commit does not have; clients keep in mind that it does not. */
export const entryNotFound = ({ commit, path, revision }: At) =>
  new HubError(404, `Entry not found: ${path || '/'} at ${revision}`, {
    code: 'EntryNotFound',
    headers: { 'x-repo-commit': commit },
  });
