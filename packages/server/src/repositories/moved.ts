import { RepoTypeSegment } from '@moonbase/contract/primitives';
import * as z from 'zod';
import { namesRepo } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Visitor } from '../platform/http/authenticate.ts';
import { HubError } from '../platform/http/errors.ts';
import type { FailedRequest } from '../platform/http/route.ts';
import { findNewName, type NewName } from './moved-store.ts';
import { typeOf } from './present.ts';
import type { RepoName } from './store.ts';

/** The parameters of a path that names a repository. */
const RepoParams = z.object({ repoType: RepoTypeSegment.optional(), namespace: z.string(), repo: z.string() });

/**
 * Creates the function that returns the error of a request: 307 in place of `RepoNotFound` if the repository that the
 * path names has moved and the caller may read it. Hidden and missing repositories are looked up alike, so that neither
 * the response nor the time tells them apart.
 */
export const createRedirects =
  ({ database }: { readonly database: Database }) =>
  async (error: unknown, { caller, path, params }: FailedRequest): Promise<unknown> => {
    if (!(error instanceof HubError) || error.extra.code !== 'RepoNotFound') return error;
    const { data } = RepoParams.safeParse(params);
    if (!data || !namesRepo(path)) return error;
    const name = nameIn(path, data);
    const moved = await findNewName(database.read, caller.principal, name);
    return (moved && redirectAfterMove(caller, name, moved)) ?? error;
  };

/** Returns the repository that the parameters of a declared path name. */
const nameIn = (path: string, { repoType, namespace, repo }: z.output<typeof RepoParams>): RepoName => ({
  type: typeOf(repoType ?? segmentIn(path)),
  namespace,
  name: repo,
});

/** Returns the redirect to the path of a request with the new name of the repository in place of the old one. */
export function redirectAfterMove(visitor: Visitor, old: Omit<RepoName, 'type'>, moved: NewName): HubError | undefined {
  const location = locationAfterMove(visitor, old, moved);
  if (location === undefined) return undefined;
  return new HubError(307, 'The repository has been moved', { headers: { location } });
}

function locationAfterMove(
  { url, baseUrl }: Visitor,
  { namespace, name }: Omit<RepoName, 'type'>,
  moved: NewName,
): string | undefined {
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

/** Returns the type of repositories that a declared path without such a parameter is for. */
function segmentIn(path: string): RepoTypeSegment {
  const [, first, second] = path.split('/');
  return RepoTypeSegment.safeParse(first === 'api' ? second : first).data ?? 'models';
}
