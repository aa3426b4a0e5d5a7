import type * as routes from '@moonbase/contract/content/reading';
import { listTree, type TreeItem } from '../generated/content.ts';
import type { Entry } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { repoParams } from '../repo-name.ts';
import type { Hub } from '../request.ts';
import type { FileRepo } from './repo-file.ts';

type AtRevision = Hub & FileRepo & { readonly revision?: string | undefined };

/** Yields the entries of a folder, by default of the whole repository. Throws a `HubApiError`: 400, 401, 404. */
export function listFiles(
  params: AtRevision & {
    readonly folder?: string | undefined;
    readonly recursive?: boolean | undefined;
    /** Whether to include the last commit of each entry. */
    readonly expand?: boolean | undefined;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<TreeItem, void, undefined> {
  const { revision = 'main', folder = '', ...others } = params;
  const path = folder.replace(/^\/+|\/+$/g, '');
  return listTree({ ...others, revision: path === '' ? revision : `${revision}/${path}` });
}

/** Yields the commits of a revision, newest first. Throws a `HubApiError`: 400, 401, 404. */
export function listHistory(
  params: AtRevision & { readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof routes.listCommits>, void, undefined> {
  return entriesOf<typeof routes.listCommits>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/commits/{rev}',
    params: { ...repoParams(params), rev: params.revision ?? 'main' },
    query: { limit: params.pageSize },
  });
}
