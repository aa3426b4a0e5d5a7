import { requireReach, requireUngroup } from '../access/index.ts';
import { type Account, findAccount, findAccountById, lockAccount } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { addTo } from './items.ts';
import { type CollectionName, requireChangeable, requireCreator } from './lookup.ts';
import { MAX_COLLECTIONS, slugOf, themeOf } from './policy.ts';
import { slugWithId } from './present.ts';
import { presented } from './reading.ts';
import {
  collectionFacts,
  countCollections,
  deleteCollection,
  findByTitle,
  insertCollection,
  updateCollection,
} from './store.ts';
import type { CollectionRow } from './tables.ts';
import type { GivenItem } from './targets.ts';

export interface NewCollection {
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly namespace?: string | undefined;
  readonly private?: boolean | null | undefined;
  readonly item?: (GivenItem & { readonly note?: string | null | undefined }) | undefined;
  /** The resource group that the collection is created in. */
  readonly resourceGroupId?: string | null | undefined;
}

export interface CollectionChange {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly position?: number | undefined;
  readonly private?: boolean | undefined;
  readonly theme?: CollectionRow['theme'] | undefined;
}

export interface EditingDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditLog;
}

const keyOfTitle = (title: string) => title.toLowerCase();

/** The verbs that create, change and delete collections. */
export function createEditing({ database, clock, ids, audit }: EditingDependencies) {
  /** Returns the 409 for a title in use, with the slug of the collection that has it if the caller may read that one. */
  async function titleTaken({ principal }: Caller, ownerId: string, title: string) {
    const owner = await findAccountById(database.read, ownerId);
    const existing = await findByTitle(database.read, principal, { ownerId, titleKey: keyOfTitle(title) });
    const slug = owner && existing && slugWithId(owner, existing);
    return conflict('This namespace has a collection with this title', slug === undefined ? {} : { slug });
  }

  /** Runs a change; a title that the owner already has fails with 409. */
  async function withTitle<T>(
    caller: Caller,
    change: (onOwner: (ownerId: string, title: string) => void) => Promise<T>,
  ): Promise<T> {
    let wanted: { readonly ownerId: string; readonly title: string } | undefined;
    try {
      return await change((ownerId, title) => {
        wanted = { ownerId, title };
      });
    } catch (error) {
      throw wanted && sqlFault(error) === 'unique' ? await titleTaken(caller, wanted.ownerId, wanted.title) : error;
    }
  }

  /** Records the creation or deletion of an organization's collection; users have no audit log. */
  async function record(tx: Executor, caller: Caller, owner: Account, action: 'create' | 'delete', row: CollectionRow) {
    if (owner.kind !== 'org') return;
    const slug = slugWithId(owner, row);
    await audit.record(tx, caller, {
      orgId: owner.id,
      type: `collection.${action}`,
      message: `${action === 'create' ? 'Created' : 'Deleted'} the collection ${slug}`,
      data: { collection: { _id: row.id, slug, title: row.title }, private: row.private === 1 },
    });
  }

  /** Returns the owner of a new collection, locked. Throws 404, 403, or 409 if it has too many. */
  async function requireOwner(
    tx: Executor,
    { principal }: Caller,
    namespace: string | undefined,
    groupId: string | undefined,
  ): Promise<Account> {
    const owner =
      namespace === undefined ? await findAccountById(tx, principal.userId) : await findAccount(tx, namespace);
    if (!owner) throw notFound(`There is no user or organization named ${namespace ?? principal.userName}`);
    requireReach(principal, owner.id);
    // The lock comes first, so that a group is not deleted before the collection is in it.
    await lockAccount(tx, owner.id);
    await requireCreator(tx, principal, owner, groupId);
    if ((await countCollections(tx, owner.id)) >= MAX_COLLECTIONS)
      throw conflict(`${owner.name} has ${MAX_COLLECTIONS} collections, which is the limit; delete one first`);
    return owner;
  }

  return {
    /** Throws 409 if the namespace has a collection with this title. */
    create: (caller: Caller, given: NewCollection) =>
      withTitle(caller, async (onOwner) => {
        const groupId = given.resourceGroupId?.toLowerCase();
        const created = await database.transaction(async (tx) => {
          const owner = await requireOwner(tx, caller, given.namespace, groupId);
          onOwner(owner.id, given.title);
          const [id, now] = [ids(), clock.now()];
          const row: CollectionRow = {
            ...{ id, owner_id: owner.id, theme: themeOf(id), position: 0 },
            ...{ title: given.title, title_key: keyOfTitle(given.title), slug: slugOf(given.title) },
            ...{ description: given.description ?? '', private: given.private ? 1 : 0 },
            ...{ upvotes: 0, trending_score: 0, created_at: now, updated_at: now, resource_group_id: groupId ?? null },
          };
          await insertCollection(tx, row);
          if (given.item) await addTo(tx, caller, ids(), row, given.item, given.item.note);
          await record(tx, caller, owner, 'create', row);
          return row;
        });
        return presented(database.read, caller, created);
      }),

    /** Throws 409 if the namespace has another collection with this title. */
    update: (caller: Caller, name: CollectionName, change: CollectionChange) =>
      withTitle(caller, async (onOwner) => {
        const updated = await database.transaction(async (tx) => {
          const { collection: before, role } = await requireChangeable(tx, caller.principal, name);
          if (before.private === 1 && change.private === false)
            await requireUngroup(tx, caller.principal, collectionFacts(before), role, 'collection');
          const { title = before.title, description = before.description, theme = before.theme } = change;
          onOwner(before.owner_id, title);
          const after: CollectionRow = {
            ...before,
            ...{ title, title_key: keyOfTitle(title), slug: slugOf(title), theme },
            description: description ?? '',
            position: change.position ?? before.position,
            private: Number(change.private ?? before.private === 1),
            updated_at: clock.now(),
          };
          await updateCollection(tx, before.id, after);
          return after;
        });
        return presented(database.read, caller, updated);
      }),

    delete: (caller: Caller, name: CollectionName): Promise<void> =>
      database.transaction(async (tx) => {
        const { collection } = await requireChangeable(tx, caller.principal, name);
        await deleteCollection(tx, collection.id);
        const owner = await findAccountById(tx, collection.owner_id);
        if (owner) await record(tx, caller, owner, 'delete', collection);
      }),
  };
}
