import { missingRepo } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { HubError } from '../platform/http/errors.ts';
import { findNewName, type NewName } from './moved-store.ts';
import type { RepoName } from './store.ts';

/**
 * Returns the error for a name that no repository has: 307 to the current name if a repository has moved from there and
 * the caller may read it, otherwise the usual 404.
 */
export async function missingOrMoved(executor: ReadExecutor, caller: Caller, name: RepoName): Promise<HubError> {
  const missing = await missingRepo(executor, caller.principal, name.namespace);
  const moved = await findNewName(executor, caller.principal, name);
  const location = moved && locationAfterMove(caller, name, moved);
  return location === undefined
    ? missing
    : new HubError(307, 'The repository has been moved', { headers: { location } });
}

/** Returns the error for a hidden repository, after the same number of queries as for a missing one. */
export async function disguiseAsMissing(
  executor: ReadExecutor,
  caller: Caller,
  name: RepoName,
  error: unknown,
): Promise<unknown> {
  if (error instanceof HubError && error.status === 404) await findNewName(executor, caller.principal, name);
  return error;
}

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
