import { requirePermission } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { type CollectionName, requireLocked } from './lookup.ts';
import { scoreWith, scoreWithout } from './policy.ts';
import { updateCollection } from './store.ts';
import type { CollectionRow } from './tables.ts';
import { deleteUpvote, insertUpvote } from './upvote-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

type Counts = Pick<CollectionRow, 'upvotes' | 'trending_score'>;

/** The verbs of upvotes: whoever may read a collection has one. */
export function createUpvotes({ database, clock }: Dependencies) {
  /** Runs a change of the caller's upvote, which belongs to the caller's own account. */
  const runChange = (
    { principal }: Caller,
    name: CollectionName,
    change: (tx: Executor, collection: CollectionRow) => Promise<Counts | undefined>,
  ) =>
    database.transaction(async (tx) => {
      const collection = await requireLocked(tx, principal, name);
      requirePermission(principal, 'collection.write', [principal.userId]);
      const counts = await change(tx, collection);
      if (counts) await updateCollection(tx, collection.id, counts);
      return (counts ?? collection).upvotes;
    });

  return {
    add: async (caller: Caller, name: CollectionName) => ({
      upvotes: await runChange(caller, name, async (tx, { id, upvotes, trending_score }) => {
        const created_at = clock.now();
        if (!(await insertUpvote(tx, { collection_id: id, user_id: caller.principal.userId, created_at })))
          return undefined;
        return { upvotes: upvotes + 1, trending_score: scoreWith(Number(trending_score), created_at) };
      }),
      isUpvotedByUser: true,
    }),

    withdraw: async (caller: Caller, name: CollectionName) => ({
      upvotes: await runChange(caller, name, async (tx, { id, upvotes, trending_score }) => {
        const withdrawn = await deleteUpvote(tx, id, caller.principal.userId);
        if (!withdrawn) return undefined;
        const rest = upvotes > 1 ? scoreWithout(Number(trending_score), Number(withdrawn.created_at)) : 0;
        return { upvotes: upvotes - 1, trending_score: rest };
      }),
      isUpvotedByUser: false,
    }),
  };
}
