import { lockAccountById } from '../accounts/index.ts';
import {
  type CollectionName,
  collectionFacts,
  requireCollection,
  requireRole,
  setGroupOfCollection,
} from '../collections/index.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import type { Dependencies } from './change-group.ts';
import { presentGroupOf, requireMove } from './moves.ts';

/** The group of a single collection. */
export function createCollectionGroups({ database }: Dependencies) {
  return {
    /** Moves a collection into a group, or out of its group. */
    setOfCollection: (caller: Caller, name: CollectionName, groupId: string | null): Promise<void> =>
      database.transaction(async (tx) => {
        const { principal } = caller;
        const { id, owner_id } = await requireCollection(tx, principal, name);
        // The organization is locked first, as in all changes of its groups.
        const owner = await lockAccountById(tx, owner_id);
        const { collection, role } = await requireRole(tx, principal, { namespace: undefined, slug: id });
        if (!owner) throw notFound('Collection not found');
        await requireMove(
          tx,
          principal,
          owner,
          { facts: collectionFacts(collection), role, kind: 'collection' },
          groupId,
        );
        await setGroupOfCollection(tx, id, groupId);
      }),

    /** Returns the group of a collection, to callers who may see both. */
    async ofCollection({ principal }: Caller, name: CollectionName) {
      const collection = await requireCollection(database.read, principal, name);
      return presentGroupOf(database.read, principal, collectionFacts(collection), 'collection');
    },
  };
}
