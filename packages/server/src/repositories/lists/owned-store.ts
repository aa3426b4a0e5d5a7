import type { RepoType } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { privateRowsOf, type Reader, type RowsQuery, readableBy, repoColumns } from '../../access/index.ts';
import { nameKey } from '../../accounts/index.ts';
import { contains } from '../../platform/database/contains.ts';
import { countUpTo } from '../../platform/database/count-up-to.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { REPOSITORY_COLUMNS, type Repository, WITH_OWNER } from '../store.ts';
import type { Position } from './keyset.ts';
import { type FirstRows, firstRows } from './sorted-list-store.ts';

export interface OwnedFilter {
  readonly search?: string | undefined;
  readonly type?: RepoType | undefined;
  /** The storage of all repositories counts as 0, so `storage` sorts by id, that is, by creation. */
  readonly sort: 'storage' | 'updatedAt';
  readonly direction: 'asc' | 'desc';
  /** The last repository of the previous page. */
  readonly after?: Position | undefined;
}

/** An account with at most this many repositories is read as a whole, whatever the viewer may read of it. */
const MAX_READ = 5000;

/**
 * Returns queries for columns of an account's repositories `o` that a viewer may read, each once: their cost does not grow
 * with the private repositories of the account that the viewer may not read.
 */
export function readableOf(viewer: Reader, ownerId: string, type?: RepoType): [RowsQuery, ...RowsQuery[]] {
  const among = sql`o.owner_id = ${ownerId}${type === undefined ? sql`` : sql` and o.type || '' = ${type}`}`;
  const withPublic =
    (rows: RowsQuery): RowsQuery =>
    (columns) =>
      sql`select ${columns} from repositories o where o.private = 0 and ${among} union all ${rows(columns)}`;
  const [granted, ...reached] = privateRowsOf(sql`repositories`, 'repository', viewer, among);
  return [withPublic(granted), ...reached.map(withPublic)];
}

/** Returns a page of an account's repositories that the viewer may read. */
export async function listOwned(
  executor: ReadExecutor,
  ownerId: string,
  viewer: Reader,
  { search, type, sort, direction, after }: OwnedFilter,
  limit: number,
): Promise<FirstRows<Repository>> {
  const owned = sql`from repositories where repositories.owner_id = ${ownerId}`;
  const hasMany = (await countUpTo(executor, owned, MAX_READ + 1)) > MAX_READ;
  const column = sort === 'updatedAt' ? 'last_modified' : undefined;
  const list = {
    ...{ table: 'repositories' as const, beside: WITH_OWNER, column, direction, after, limit },
    readable: [readableBy(repoColumns, viewer)],
    filters: [
      ...(search ? [{ condition: contains(sql.ref('repositories.name_key'), nameKey(search)) }] : []),
      ...(type ? [{ condition: sql`repositories.type || '' = ${type}` }] : []),
    ],
    parts: [
      {
        walked: [sql`repositories.owner_id = ${ownerId}`],
        lookedUp: [sql`repositories.owner_id || '' = ${ownerId}`],
        hinted: [],
        granted: hasMany ? readableOf(viewer, ownerId, type) : [],
      },
    ],
  };
  return firstRows(executor, list, REPOSITORY_COLUMNS, (repo: Repository) => ownedPosition(repo, sort));
}

/** Returns the position of a repository in such a list. */
export const ownedPosition = (repo: Repository, sort: OwnedFilter['sort']): Position => ({
  value: sort === 'updatedAt' ? Number(repo.last_modified) : 0,
  id: repo.id,
});
