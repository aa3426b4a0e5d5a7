import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { deleteItem, insertItem, isSame, itemsIn, setItems } from './item-store.ts';
import { type CollectionName, requireChangeable } from './lookup.ts';
import { MAX_ITEMS, moved } from './policy.ts';
import { presented } from './reading.ts';
import { updateCollection } from './store.ts';
import type { CollectionItemRow, CollectionRow } from './tables.ts';
import { type GivenItem, resolveTargets } from './targets.ts';

/** A change of one item: `note` null or empty removes the note. */
export interface ItemChange {
  readonly itemId: string;
  readonly note?: string | null | undefined;
  readonly position?: number | undefined;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

const itemNotFound = () => notFound('There is no such item in this collection');

/**
 * Adds an item to the end of a locked collection. Throws 404 if the caller may not read what it names, 409 if it is there
 * already or the collection is full.
 */
export async function addTo(
  tx: Executor,
  { principal }: Caller,
  id: string,
  collection: CollectionRow,
  item: GivenItem,
  note: string | null | undefined,
): Promise<void> {
  const [target] = await resolveTargets(tx, principal, [item]);
  if (!target) throw notFound(`There is no ${item.type} ${item.id}`);
  const items = await itemsIn(tx, collection.id);
  if (items.some((each) => isSame(each, target))) throw conflict(`The ${item.type} ${item.id} is in this collection`);
  if (items.length >= MAX_ITEMS) throw conflict(`This collection has ${MAX_ITEMS} items, which is the limit`);
  const position = (items.at(-1)?.position ?? -1) + 1;
  await insertItem(tx, { id, collection_id: collection.id, ...target, position, note: note || null });
}

/** Returns the items after changes, in their new order. Throws 404 for an item that is not there. */
function changed(before: readonly CollectionItemRow[], changes: readonly ItemChange[]): CollectionItemRow[] {
  let items = [...before];
  let isMoved = false;
  for (const { itemId, note, position } of changes) {
    const item = items.find(({ id }) => id === itemId);
    if (!item) throw itemNotFound();
    const next = note === undefined ? item : { ...item, note: note || null };
    items = items.map((each) => (each === item ? next : each));
    if (position === undefined) continue;
    items = moved(items, next, position);
    isMoved = true;
  }
  return isMoved ? items.map((item, position) => ({ ...item, position })) : items;
}

/** The verbs that change the items of collections. */
export function createItems({ database, clock, ids }: Dependencies) {
  /** Runs a change of the items of a collection, which counts as a change of the collection. */
  const runChange = <T>(
    caller: Caller,
    name: CollectionName,
    change: (tx: Executor, collection: CollectionRow) => Promise<T>,
  ) =>
    database.transaction(async (tx) => {
      const { collection } = await requireChangeable(tx, caller.principal, name);
      const after = { ...collection, updated_at: clock.now() };
      await updateCollection(tx, collection.id, { updated_at: after.updated_at });
      return change(tx, after);
    });

  return {
    async add(caller: Caller, name: CollectionName, item: GivenItem, note: string | null | undefined) {
      const collection = await runChange(caller, name, async (tx, changed) => {
        await addTo(tx, caller, ids(), changed, item, note);
        return changed;
      });
      return presented(database.read, caller, collection);
    },

    /** Applies changes one after the other, all or none. */
    update: (caller: Caller, name: CollectionName, changes: readonly ItemChange[]): Promise<void> =>
      runChange(caller, name, async (tx, { id }) => {
        const before = await itemsIn(tx, id);
        const known = new Map(before.map((item) => [item.id, item]));
        const after = changed(before, changes).filter((item) => {
          const { position, note } = known.get(item.id) ?? {};
          return position !== item.position || note !== item.note;
        });
        await setItems(tx, after);
      }),

    remove: (caller: Caller, name: CollectionName, itemId: string): Promise<void> =>
      runChange(caller, name, async (tx, { id }) => {
        if (!(await deleteItem(tx, id, itemId))) throw itemNotFound();
      }),
  };
}
