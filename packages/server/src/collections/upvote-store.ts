import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { CollectionUpvoteRow } from './tables.ts';

/** Returns the collections among the given ones that a user has upvoted. */
export async function upvotedAmong(
  executor: ReadExecutor,
  userId: string,
  collectionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await executor
    .selectFrom('collection_upvotes')
    .select('collection_id')
    .where('user_id', '=', userId)
    .where(whereIn(executor, 'collection_id', collectionIds))
    .execute();
  return new Set(rows.map(({ collection_id }) => collection_id));
}

/** Returns whether the upvote is new. */
export async function insertUpvote(tx: Executor, row: CollectionUpvoteRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('collection_upvotes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Deletes an upvote; returns it if it was there. */
export const deleteUpvote = (
  tx: Executor,
  collectionId: string,
  userId: string,
): Promise<CollectionUpvoteRow | undefined> =>
  tx
    .deleteFrom('collection_upvotes')
    .where('collection_id', '=', collectionId)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();

/** Withdraws all upvotes of a user; the trending scores keep what is left of them until they have faded. */
export async function withdrawUpvotesOf(tx: Executor, userId: string): Promise<void> {
  await tx
    .updateTable('collections')
    .set({
      upvotes: sql<number>`upvotes - 1`,
      trending_score: sql<number>`case when upvotes > 1 then trending_score else 0 end`,
    })
    .where('id', 'in', (of) =>
      of.selectFrom('collection_upvotes').select('collection_id').where('user_id', '=', userId),
    )
    .execute();
  await tx.deleteFrom('collection_upvotes').where('user_id', '=', userId).execute();
}
