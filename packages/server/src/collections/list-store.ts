import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../access/index.ts';
import { contains } from '../platform/database/contains.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { unnest } from '../platform/database/where-in.ts';
import {
  ALONE,
  countRows,
  type FirstRows,
  firstRows,
  type ListFilter,
  listByVisibility,
  type Position,
  type SortedList,
} from '../repositories/index.ts';
import type { CollectionRow, ItemTarget } from './tables.ts';

export interface CollectionsQuery {
  /** The owners; undefined: all. */
  readonly ownerIds: readonly string[] | undefined;
  /** What the collections contain, any of it; undefined: anything. */
  readonly items: readonly ItemTarget[] | undefined;
  /** Parts of the title in lower case. */
  readonly words: readonly string[];
  readonly sort: keyof typeof SORT_COLUMNS;
  /** The last collection of the previous page. */
  readonly after: Position | undefined;
  readonly limit: number;
}

/** The columns that lists are sorted by; each has an index with the visibility before it. */
const SORT_COLUMNS = {
  trending: 'trending_score',
  lastModified: 'updated_at',
  upvotes: 'upvotes',
} as const satisfies Record<string, keyof CollectionRow>;

const TARGET_COLUMNS = ['repo_id', 'paper_id', 'nested_id'] as const;

/** The rows of any of the items, one condition for each column with values. */
const rowsOf = (executor: ReadExecutor, items: readonly ItemTarget[]) =>
  TARGET_COLUMNS.flatMap((column) => {
    const ids = items.flatMap((item) => item[column] ?? []);
    return ids.length === 0
      ? []
      : [sql`collection_items i where ${sql.ref(`i.${column}`)} in ${unnest(executor, ids)}`];
  });

/** Expressions in the conditions keep SQLite from walking other indexes than that of the sorting. */
function filtersOf(executor: ReadExecutor, { ownerIds, items, words }: CollectionsQuery): ListFilter[] {
  const containing = (rows: RawBuilder<unknown>) => sql`select i.collection_id as id from ${rows}`;
  // PostgreSQL looks up all rows of an `exists` before it walks, and expects that `=` is rarely true.
  const contained = (rows: RawBuilder<unknown>) =>
    sql`coalesce((select 1 from ${rows} and i.collection_id = collections.id limit 1), 0) <> 0`;
  const owned = ownerIds && {
    condition: sql`collections.owner_id || '' in ${unnest(executor, ownerIds)}`,
    ids: sql`select o.id from collections o where o.owner_id in ${unnest(executor, ownerIds)}`,
  };
  const withItems = items && {
    condition: sql`(${sql.join(rowsOf(executor, items).map(contained), sql` or `)})`,
    ids: sql.join(rowsOf(executor, items).map(containing), sql` union `),
  };
  return [
    ...(owned ? [owned] : []),
    ...(withItems ? [withItems] : []),
    ...words.map((word) => ({ condition: contains(sql.ref('collections.title_key'), word) })),
  ];
}

/** Returns the list of the collections that a reader may read and that pass the filters. */
const listFor = (executor: ReadExecutor, reader: Reader, query: CollectionsQuery): SortedList => ({
  ...listByVisibility('collections', 'collection', reader),
  ...{ beside: ALONE, column: SORT_COLUMNS[query.sort] },
  ...{ direction: 'desc', after: query.after, limit: query.limit },
  filters: filtersOf(executor, query),
});

export const positionIn =
  ({ sort }: Pick<CollectionsQuery, 'sort'>) =>
  (row: CollectionRow): Position => ({ value: Number(row[SORT_COLUMNS[sort]]), id: row.id });

/** Returns the first of the public collections and of the private ones that the reader may read, in order. */
export const listCollections = (
  executor: ReadExecutor,
  reader: Reader,
  query: CollectionsQuery,
): Promise<FirstRows<CollectionRow>> =>
  firstRows(executor, listFor(executor, reader, query), sql`collections.*`, positionIn(query));

/** Returns how many collections the reader may read and pass the filter, among those that a page looks at, up to a maximum. */
export const countCollections = (
  executor: ReadExecutor,
  reader: Reader,
  query: CollectionsQuery,
  max: number,
): Promise<number> => countRows(executor, listFor(executor, reader, query), max);
