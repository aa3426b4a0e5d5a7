import type { RawBuilder } from 'kysely';
import { type Reader, type RepoFacts, readableBy, repoColumnsOf } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { CollectionRow } from './tables.ts';

/** The condition that a caller may read a collection of the query, given the name of its table. */
export const collectionReadableBy = (reader: Reader, table = 'collections'): RawBuilder<boolean> =>
  readableBy(repoColumnsOf(table), reader, 'collection');

/** Returns the facts that decide access to a collection; that somebody created it gives no rights. */
export const collectionFacts = (collection: CollectionRow): RepoFacts => ({
  id: collection.id,
  ownerId: collection.owner_id,
  private: collection.private === 1,
  createdBy: null,
  groupId: collection.resource_group_id,
});

/** A collection by its id, or by its owner and the slug without an id. */
export type CollectionKey = { readonly id: string } | { readonly namespace: string; readonly slug: string };

function byKey(executor: ReadExecutor, reader: Reader, key: CollectionKey) {
  const readable = executor.selectFrom('collections').selectAll().where(collectionReadableBy(reader));
  if ('id' in key) return readable.where('id', '=', key.id);
  return readable
    .where('owner_id', 'in', (of) =>
      of.selectFrom('accounts').select('accounts.id').where('name_key', '=', nameKey(key.namespace)),
    )
    .where('slug', '=', key.slug)
    .orderBy('id', 'desc')
    .limit(1);
}

export const findCollection = (
  executor: ReadExecutor,
  reader: Reader,
  key: CollectionKey,
): Promise<CollectionRow | undefined> => byKey(executor, reader, key).executeTakeFirst();

/** Like `findCollection`, but locks the row until the transaction ends, so that changes run one after the other. */
export const lockCollection = (tx: Executor, reader: Reader, key: CollectionKey): Promise<CollectionRow | undefined> =>
  byKey(tx, reader, key).modifyEnd(forUpdateOf(tx, 'collections')).executeTakeFirst();

/** Returns the collection of an owner with a title, if the reader may read it. */
export const findByTitle = (
  executor: ReadExecutor,
  reader: Reader,
  { ownerId, titleKey }: { readonly ownerId: string; readonly titleKey: string },
): Promise<CollectionRow | undefined> =>
  executor
    .selectFrom('collections')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('title_key', '=', titleKey)
    .where(collectionReadableBy(reader))
    .executeTakeFirst();

/** Returns the given collections that the reader may read, in no particular order. */
export const readableCollections = (
  executor: ReadExecutor,
  reader: Reader,
  ids: readonly string[],
): Promise<CollectionRow[]> =>
  executor
    .selectFrom('collections')
    .selectAll()
    .where(whereIn(executor, 'collections.id', ids))
    .where(collectionReadableBy(reader))
    .execute();

export async function countCollections(executor: ReadExecutor, ownerId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('collections')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertCollection(tx: Executor, row: CollectionRow): Promise<void> {
  await tx.insertInto('collections').values(row).execute();
}

export async function updateCollection(tx: Executor, id: string, change: Partial<CollectionRow>): Promise<void> {
  await tx.updateTable('collections').set(change).where('id', '=', id).execute();
}

/** Moves a collection into a resource group, or out of its group. */
export const setGroupOfCollection = (tx: Executor, id: string, groupId: string | null): Promise<void> =>
  updateCollection(tx, id, { resource_group_id: groupId });

export async function deleteCollection(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('collections').where('id', '=', id).execute();
}

/**
 * Deletes at most `limit` rows of an owner's collections, items first; returns the number of deleted rows. Upvotes are
 * deleted with their collection.
 */
export async function deleteCollectionRows(tx: Executor, ownerId: string, limit: number): Promise<number> {
  const items = await tx
    .deleteFrom('collection_items')
    .where('id', 'in', (of) =>
      of
        .selectFrom('collection_items as i')
        .innerJoin('collections as c', 'c.id', 'i.collection_id')
        .select('i.id')
        .where('c.owner_id', '=', ownerId)
        .limit(limit),
    )
    .executeTakeFirst();
  if (items.numDeletedRows > 0) return Number(items.numDeletedRows);
  const collections = await tx
    .deleteFrom('collections')
    .where('id', 'in', (of) =>
      of.selectFrom('collections as c').select('c.id').where('c.owner_id', '=', ownerId).limit(limit),
    )
    .executeTakeFirst();
  return Number(collections.numDeletedRows);
}
