import { nameKey } from '../accounts/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { FindMoved, RepoParams } from '../platform/http/moved-request.ts';
import { findNewName, type NewName } from './moved-store.ts';
import { typeOf } from './present.ts';
import type { RepoName } from './store.ts';

/**
 * Creates the look-up of requests that name a moved repository in their path. It answers only callers who may read the
 * repository under its new name.
 */
export const createMovedRequests =
  ({ database }: { readonly database: Database }): FindMoved =>
  async (caller, path, params) => {
    const name = nameIn(path, params);
    const moved = await findNewName(database.read, caller.principal, name);
    return moved && locationAfterMove(caller, name, moved);
  };

/** Returns the repository that the parameters of a declared path name. */
const nameIn = (path: string, { repoType, namespace, repo }: RepoParams): RepoName => ({
  type: repoType === undefined ? (path.startsWith('/api/buckets/') ? 'bucket' : 'model') : typeOf(repoType),
  namespace,
  name: repo,
});

/** Returns the path of a request with the new name of the repository in place of the old one. */
function locationAfterMove({ url, baseUrl }: Caller, { namespace, name }: RepoName, moved: NewName) {
  const { pathname, search } = new URL(url, baseUrl);
  const parts = pathname.split('/');
  const isOld = (part: string | undefined, old: string) => part !== undefined && nameKey(decode(part)) === nameKey(old);
  const endingOf = (part: string | undefined) => (part?.toLowerCase().endsWith('.git') ? '.git' : '');
  const at = parts.findIndex(
    (part, index) => isOld(part, namespace) && isOld(parts[index + 1]?.replace(/\.git$/i, ''), name),
  );
  if (at < 0) return undefined;
  parts.splice(at, 2, moved.owner, moved.name + endingOf(parts[at + 1]));
  return parts.join('/') + search;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
