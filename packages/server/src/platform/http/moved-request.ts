import type { RepoTypeSegment } from '@moonbase/contract/primitives';
import type { RouteDeclaration } from '@moonbase/contract/route';
import type { Caller } from './authenticate.ts';
import { HubError } from './errors.ts';

/** The parameters of a path that name a repository. */
export interface RepoParams {
  readonly repoType?: RepoTypeSegment;
  readonly namespace: string;
  readonly repo: string;
}

/**
 * Returns the path and query of a request with the new name of the repository that its path names, if the repository
 * has moved and the caller may read it. Implemented by repositories.
 */
export type FindMoved = (caller: Caller, path: string, params: RepoParams) => Promise<string | undefined>;

/**
 * Returns the error of a request: 307 in place of `RepoNotFound` if the repository that the path names has moved. Hidden
 * and missing repositories are looked up alike, so that neither the response nor the time tells them apart.
 */
export async function redirectIfMoved(
  error: unknown,
  { caller, params }: { readonly caller: Caller; readonly params: unknown },
  { path }: RouteDeclaration,
  findMoved: FindMoved,
): Promise<unknown> {
  if (!path.includes('/{namespace}/{repo}')) return error;
  if (!(error instanceof HubError) || error.extra.code !== 'RepoNotFound') return error;
  // The declarations of such paths have these parameters.
  const location = await findMoved(caller, path, params as RepoParams);
  if (location === undefined) return error;
  return new HubError(307, 'The repository has been moved', { headers: { location } });
}
