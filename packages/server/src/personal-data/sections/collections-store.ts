import { sql } from 'kysely';
import { mayReadIfEnabled, repoColumnsOf } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { nameIfReadable } from '../names/repo-name-conditions.ts';
import type { Page } from '../section.ts';

/** Returns collections of a user with all of their items. */
export async function collectionsOf(executor: ReadExecutor, { userId, after, limit }: Page<{ title_key: string }>) {
  const rows = await executor
    .selectFrom('collections')
    .selectAll()
    .where('owner_id', '=', userId)
    .where('title_key', '>', after?.title_key ?? '')
    .orderBy('title_key')
    .limit(limit)
    .execute();
  const items = await itemsOf(
    executor,
    userId,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, items: items.filter(({ collection_id }) => collection_id === row.id) }));
}

/** Returns the items of some collections, with the names of those that the user may read now. */
const itemsOf = (executor: ReadExecutor, userId: string, collectionIds: readonly string[]) =>
  executor
    .selectFrom('collection_items')
    .leftJoin('repositories', 'repositories.id', 'collection_items.repo_id')
    .leftJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
    .leftJoin('papers', 'papers.id', 'collection_items.paper_id')
    .leftJoin('collections as nested', 'nested.id', 'collection_items.nested_id')
    .select(['collection_items.collection_id', 'collection_items.id', 'collection_items.position'])
    .select(['collection_items.note', 'repositories.type as repoType', 'papers.arxiv_id'])
    .select(nameIfReadable(userId).as('repoName'))
    .select(
      sql<string | null>`case when ${mayReadIfEnabled(repoColumnsOf('nested'), sql.val(userId))}
        then nested.title end`.as('nestedTitle'),
    )
    .where(whereIn(executor, 'collection_items.collection_id', collectionIds))
    .orderBy('collection_items.collection_id')
    .orderBy('collection_items.position')
    .orderBy('collection_items.id')
    .execute();
