import type { Collection, ListedCollection } from '@moonbase/contract/repositories/collections';
import { findAccountsNamed } from '../accounts/index.ts';
import { distinctValues } from '../catalog/index.ts';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { encodeCursor, type PageOf, pageFrom } from '../platform/http/pagination.ts';
import { digestOf, keyOf, positionFrom } from '../repositories/index.ts';
import { factsOf } from './facts.ts';
import { firstItems, itemsIn } from './item-store.ts';
import { type CollectionsQuery, listCollections, positionIn } from './list-store.ts';
import { type CollectionName, isChangeable, requireCollection } from './lookup.ts';
import { LISTED_ITEMS } from './policy.ts';
import { presentCollection, presentListed } from './present.ts';
import type { CollectionRow } from './tables.ts';
import { itemIn, resolveTargets } from './targets.ts';

const MAX_PAGE = 100;

export interface ListRequest {
  readonly owner?: readonly string[] | undefined;
  readonly item?: readonly string[] | undefined;
  readonly q?: string | undefined;
  readonly sort: CollectionsQuery['sort'];
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Presents a collection with all items that the caller may read. */
export async function presented(
  executor: ReadExecutor,
  caller: Caller,
  collection: CollectionRow,
): Promise<Collection> {
  const items = await itemsIn(executor, collection.id);
  const facts = await factsOf(executor, caller, [collection], items);
  const isEditable = await isChangeable(executor, caller.principal, collection);
  const shown = presentCollection(collection, items, facts, isEditable);
  if (!shown) throw notFound('Collection not found');
  return shown;
}

const NOTHING: PageOf<ListedCollection> = { items: [], next: undefined };

/** The verbs that read collections. */
export function createReading({ database: { read } }: { readonly database: Database }) {
  async function present(caller: Caller, collections: readonly CollectionRow[]): Promise<ListedCollection[]> {
    const ids = collections.map(({ id }) => id);
    const items = (await firstItems(read, caller.principal, ids, LISTED_ITEMS)).sort(
      (one, other) => one.position - other.position || (one.id < other.id ? -1 : 1),
    );
    const facts = await factsOf(read, caller, collections, items);
    return collections.flatMap(
      (collection) =>
        presentListed(
          collection,
          items.filter(({ collection_id }) => collection_id === collection.id),
          facts,
        ) ?? [],
    );
  }

  async function ownersNamed(names: readonly string[]): Promise<string[]> {
    return [...(await findAccountsNamed(read, names)).values()].map(({ id }) => id);
  }

  return {
    get: async (caller: Caller, name: CollectionName): Promise<Collection> =>
      presented(read, caller, await requireCollection(read, caller.principal, name)),

    /** Returns a page of the collections that the caller may read and that pass the filter. */
    async list(caller: Caller, request: ListRequest): Promise<PageOf<ListedCollection>> {
      const { owner, item, sort } = request;
      const words = distinctValues('q', (request.q ?? '').toLowerCase().split(/\s+/), 'words');
      const digest = digestOf({ owner, item, words, sort });
      const after = positionFrom(request.cursor, digest);
      const ownerIds = owner && (await ownersNamed(owner));
      const targets = item && (await resolveTargets(read, caller.principal, item.map(itemIn)));
      const items = targets?.flatMap((target) => target ?? []);
      if (ownerIds?.length === 0 || items?.length === 0) return NOTHING;
      const limit = Math.min(request.limit, MAX_PAGE);
      const query = { ownerIds, items, words, sort, after, limit: limit + 1 };
      const { rows, until } = await listCollections(read, caller.principal, query);
      const page = pageFrom(rows, limit, (row) => keyOf(positionIn(query)(row), digest));
      const next = page.next ?? (until && encodeCursor(keyOf(until, digest)));
      return { items: await present(caller, page.items), next };
    },
  };
}
