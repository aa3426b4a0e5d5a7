import type * as routes from '@moonbase/contract/large-files/lfs';
import type * as locks from '@moonbase/contract/large-files/locks';
import type { RouteQuery, SuccessAnswer } from '../operation.ts';
import { repoParams, splitRepo } from '../repo-name.ts';
import { call, type Hub, send, urlOf } from '../request.ts';

/** Returns the bytes at an address from `lfsBatch`. Throws a `HubApiError`: 403, 404. */
export async function getLargeFile(params: Hub & { readonly address: string }): Promise<Blob> {
  const path: (typeof routes.getLargeFile)['path'] = '/api/large-files/{address}';
  const url = urlOf(params, { path, params: { address: params.address } });
  const response = await send({ ...params, accessToken: undefined }, url, { method: 'GET' });
  return response.blob();
}

type LockPage = SuccessAnswer<typeof locks.listLocks>;
type LockQuery = RouteQuery<typeof locks.listLocks>;
type Lock = LockPage['locks'][number];

interface LockFilter {
  /** namespace/name */
  readonly repo: string;
  /** Only the lock of this path. */
  readonly path?: string | undefined;
  /** Only the lock with this id. */
  readonly id?: string | undefined;
}

/** Yields the locked paths of a model from all pages, the oldest lock first. Throws a `HubApiError`: 400, 401, 403, 404. */
export const listLocks = (params: Hub & LockFilter): AsyncGenerator<Lock, void, undefined> =>
  locksOf(params, (query) =>
    call<typeof locks.listLocks>(params, {
      method: 'GET',
      path: '/{namespace}/{repo}.git/info/lfs/locks',
      params: splitRepo(params.repo),
      query,
    }),
  );

/**
 * Yields the locked paths of a dataset, Space or kernel from all pages, the oldest lock first. Throws a `HubApiError`: 400,
 * 401, 403, 404.
 */
export const listLocksOfType = (
  params: Hub & LockFilter & { readonly type: 'model' | 'dataset' | 'space' | 'kernel' },
): AsyncGenerator<Lock, void, undefined> =>
  locksOf(params, (query) =>
    call<typeof locks.listLocksOfType>(params, {
      method: 'GET',
      path: '/{repoType}/{namespace}/{repo}.git/info/lfs/locks',
      params: repoParams(params),
      query,
    }),
  );

async function* locksOf(
  { path, id }: LockFilter,
  pageAt: (query: LockQuery) => Promise<LockPage>,
): AsyncGenerator<Lock, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const page = await pageAt({
      ...(path !== undefined && { path }),
      ...(id !== undefined && { id }),
      ...(cursor !== undefined && { cursor }),
    });
    yield* page.locks;
    cursor = page.next_cursor;
    if (cursor === undefined) return;
  }
}
