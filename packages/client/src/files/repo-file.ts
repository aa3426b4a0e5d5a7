import { HubApiError } from '../errors.ts';
import { getPathsInfo, type TreeItem } from '../generated/content.ts';
import { getRepoAtRevision } from '../generated/repositories.ts';
import type { Hub } from '../request.ts';

/** A repository with files. */
export interface FileRepo {
  readonly type: 'model' | 'dataset' | 'space' | 'kernel';
  /** namespace/name */
  readonly repo: string;
}

/** The destination of a commit. */
export interface Destination extends FileRepo {
  readonly branch: string;
  /** Whether the commit opens a pull request for the branch instead of changing it. */
  readonly createPullRequest?: boolean | undefined;
}

/** Returns the commit id of a revision. Throws a `HubApiError`: 401, 404. */
export async function commitAt(params: Hub & FileRepo & { readonly revision?: string | undefined }): Promise<string> {
  const { revision = 'main' } = params;
  const { sha } = await getRepoAtRevision({ ...params, revision });
  if (sha !== undefined) return sha;
  throw new HubApiError(`${params.repo} has no commits`, {
    ...{ status: 404, url: params.hubUrl, code: 'RevisionNotFound' },
  });
}

/** Returns a file or folder at a revision. Throws a `HubApiError`: 401, 404. */
export async function getEntry(
  params: Hub & FileRepo & { readonly revision?: string | undefined; readonly path: string },
): Promise<TreeItem> {
  const { revision = 'main', path } = params;
  const [entry] = await getPathsInfo({ ...params, revision, paths: [path] });
  if (entry) return entry;
  throw new HubApiError(`There is no file or folder ${path} in ${params.repo} at ${revision}`, {
    ...{ status: 404, url: params.hubUrl, code: 'EntryNotFound' },
  });
}
