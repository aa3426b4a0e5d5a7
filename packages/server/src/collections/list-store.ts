import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../access/index.ts';
import { accountsOf, allOf, type Position, smallest } from '../catalog/index.ts';
import { contains } from '../platform/database/contains.ts';
import { countAllUpTo } from '../platform/database/count-up-to.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { unnest } from '../platform/database/where-in.ts';
import { collectionReadableBy } from './store.ts';
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
export const SORT_COLUMNS = {
  trending: 'trending_score',
  lastModified: 'updated_at',
  upvotes: 'upvotes',
} as const satisfies Record<string, keyof CollectionRow>;

const ownedBy = (owners: RawBuilder<unknown>) => sql`select o.id from collections o where o.owner_id in (${owners})`;

const TARGET_COLUMNS = ['repo_id', 'paper_id', 'nested_id'] as const;

/** The rows of any of the items, one condition for each column with values. */
const rowsOf = (executor: ReadExecutor, items: readonly ItemTarget[]) =>
  TARGET_COLUMNS.flatMap((column) => {
    const ids = items.flatMap((item) => item[column] ?? []);
    return ids.length === 0
      ? []
      : [sql`collection_items i where ${sql.ref(`i.${column}`)} in ${unnest(executor, ids)}`];
  });

/** The filters that an index answers, as queries for the ids of collections. */
function selectionsOf(executor: ReadExecutor, { ownerIds, items }: CollectionsQuery): RawBuilder<unknown>[] {
  const containing = (rows: RawBuilder<unknown>) => sql`select i.collection_id as id from ${rows}`;
  return [
    ...(ownerIds ? [ownedBy(unnest(executor, ownerIds))] : []),
    ...(items ? [sql.join(rowsOf(executor, items).map(containing), sql` union `)] : []),
  ];
}

/** The filters as conditions on one collection, for lists that are walked. */
function conditionsOf(executor: ReadExecutor, query: CollectionsQuery): RawBuilder<unknown>[] {
  const { ownerIds, items, words, sort, after } = query;
  // PostgreSQL looks up all rows of an `exists` before it walks, and expects that `=` is rarely true.
  const contained = (rows: RawBuilder<unknown>) =>
    sql`coalesce((select 1 from ${rows} and i.collection_id = collections.id limit 1), 0) <> 0`;
  return [
    ...(ownerIds ? [sql`collections.owner_id in ${unnest(executor, ownerIds)}`] : []),
    ...(items ? [sql`(${sql.join(rowsOf(executor, items).map(contained), sql` or `)})`] : []),
    ...words.map((word) => contains(sql.ref('collections.title_key'), word)),
    ...(after
      ? [sql`(${sql.ref(`collections.${SORT_COLUMNS[sort]}`)}, collections.id) < (${after.value}, ${after.id})`]
      : []),
  ];
}

/** Returns the public collections, or the private ones that the reader may read, as the end of a query. */
function partOf(
  executor: ReadExecutor,
  reader: Reader,
  isPrivate: boolean,
  query: CollectionsQuery,
  selection: Awaited<ReturnType<typeof smallest>>,
): RawBuilder<unknown> {
  const visibility = sql.lit(isPrivate ? 1 : 0);
  // An expression keeps SQLite from walking an index, and a cross join keeps the order of the tables.
  const from = selection ? sql`(${selection.ids}) as selected cross join collections` : sql`collections`;
  const conditions = [
    ...(selection
      ? [sql`collections.id = selected.id`, sql`collections.private + 0 = ${visibility}`]
      : [sql`collections.private = ${visibility}`]),
    ...(isPrivate ? [sql`collections.owner_id in (${accountsOf(reader.userId)})`] : []),
    collectionReadableBy(reader),
    ...conditionsOf(executor, query),
  ];
  return sql`from ${from} where ${allOf(conditions)}`;
}

/** Returns the public collections, and the private ones that the reader may read, each by the plan that suits them. */
async function partsOf(executor: ReadExecutor, reader: Reader, query: CollectionsQuery) {
  const selection = await smallest(executor, selectionsOf(executor, query));
  const own = await smallest(executor, [ownedBy(accountsOf(reader.userId))], selection);
  return [partOf(executor, reader, false, query, selection), partOf(executor, reader, true, query, own)];
}

/** Returns a page of the public collections, followed by one of the private ones that the reader may read. */
export async function listCollections(
  executor: ReadExecutor,
  reader: Reader,
  query: CollectionsQuery,
): Promise<CollectionRow[]> {
  const pages: CollectionRow[] = [];
  for (const part of await partsOf(executor, reader, query)) {
    const { rows } = await sql<CollectionRow>`
      select collections.* ${part}
      order by ${sql.ref(`collections.${SORT_COLUMNS[query.sort]}`)} desc, collections.id desc
      limit ${query.limit}`.execute(executor);
    pages.push(...rows);
  }
  return pages;
}

/** Returns how many collections the reader may read and pass the filter, up to a maximum. */
export const countCollections = async (
  executor: ReadExecutor,
  reader: Reader,
  query: CollectionsQuery,
  max: number,
): Promise<number> => countAllUpTo(executor, await partsOf(executor, reader, query), max);
