import { sql } from 'kysely';
import { type Reader, readableBy, repoColumns } from '../access/index.ts';
import { updateEach } from '../platform/database/bulk.ts';
import { integer, type RowOf, text } from '../platform/database/columns.ts';
import { type Executor, isPostgres, type ReadExecutor } from '../platform/database/transaction.ts';
import { unnest, whereIn } from '../platform/database/where-in.ts';
import { collectionReadableBy } from './store.ts';
import type { CollectionItemRow, ItemTarget } from './tables.ts';

/** Returns the items of a collection in their order, whoever may read them. */
export const itemsIn = (executor: ReadExecutor, collectionId: string): Promise<CollectionItemRow[]> =>
  executor
    .selectFrom('collection_items')
    .selectAll()
    .where('collection_id', '=', collectionId)
    .orderBy('position')
    .orderBy('id')
    .execute();

/** The condition that a caller may read what an item `i` shows. */
const isShown = (reader: Reader) => sql`(
  i.paper_id is not null
  or exists (select 1 from repositories where repositories.id = i.repo_id and ${readableBy(repoColumns, reader)})
  or exists (select 1 from collections n where n.id = i.nested_id and ${collectionReadableBy(reader, 'n')})
)`;

/** Returns the first items of each collection that the reader may read, in no particular order. */
export async function firstItems(
  executor: ReadExecutor,
  reader: Reader,
  collectionIds: readonly string[],
  limit: number,
): Promise<CollectionItemRow[]> {
  const joined = isPostgres(executor) ? sql`string_agg(shown.id, ',')` : sql`group_concat(shown.id, ',')`;
  const { rows } = await sql<{ ids: string | null }>`
    select (
      select ${joined} from (
        select i.id from collection_items i where i.collection_id = listed.value and ${isShown(reader)}
        order by i.position, i.id limit ${sql.lit(limit)}
      ) as shown
    ) as ids
    from ${unnest(executor, collectionIds)} as listed`.execute(executor);
  const ids = rows.flatMap((row) => row.ids?.split(',') ?? []);
  return executor
    .selectFrom('collection_items')
    .selectAll()
    .where(whereIn(executor, 'id', ids))
    .execute();
}

export async function insertItem(tx: Executor, row: CollectionItemRow): Promise<void> {
  await tx.insertInto('collection_items').values(row).execute();
}

const PLACED_ITEM = { id: text(), position: integer(), note: text<string | null>() };

/** Stores the positions and notes of items. */
export const setItems = (tx: Executor, items: readonly RowOf<typeof PLACED_ITEM>[]): Promise<void> =>
  updateEach(tx, 'collection_items', PLACED_ITEM, items);

export async function deleteItem(tx: Executor, collectionId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('collection_items')
    .where('id', '=', id)
    .where('collection_id', '=', collectionId)
    .executeTakeFirst();
  return numDeletedRows > 0;
}

/** Returns whether two items show the same. */
export const isSame = (one: ItemTarget, other: ItemTarget): boolean =>
  one.repo_id === other.repo_id && one.paper_id === other.paper_id && one.nested_id === other.nested_id;
