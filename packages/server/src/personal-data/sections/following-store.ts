import { sql } from 'kysely';
import { mayReadIfEnabled, repoColumnsOf } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { nameIfReadable } from '../names/repo-name-conditions.ts';
import type { Page } from '../section.ts';

/** Returns what a user watches or follows: users, organizations and repositories. */
export const watchesOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ target_id: string }>) =>
  executor
    .selectFrom('watches')
    .leftJoin('repositories', 'repositories.id', 'watches.target_id')
    .leftJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
    .leftJoin('accounts as followed', 'followed.id', 'watches.target_id')
    .select(['watches.target_id', 'watches.target_type', 'watches.created_at'])
    .select(['repositories.type as repoType', 'followed.name'])
    .select(nameIfReadable(userId).as('repoName'))
    .where('watches.user_id', '=', userId)
    .where('watches.target_id', '>', after?.target_id ?? '')
    .orderBy('watches.target_id')
    .limit(limit)
    .execute();

export const mutesOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ target_id: string }>) =>
  executor
    .selectFrom('mutes')
    .leftJoin('discussions', 'discussions.id', 'mutes.target_id')
    .leftJoin('repositories', (join) =>
      join.on('repositories.id', '=', sql<string>`coalesce(discussions.repo_id, mutes.target_id)`),
    )
    .leftJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
    .select(['mutes.target_id', 'mutes.target_type', 'mutes.created_at', 'discussions.num'])
    .select('repositories.type as repoType')
    .select(nameIfReadable(userId).as('repoName'))
    .where('mutes.user_id', '=', userId)
    .where('mutes.target_id', '>', after?.target_id ?? '')
    .orderBy('mutes.target_id')
    .limit(limit)
    .execute();

export const likesOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
  executor
    .selectFrom('likes')
    .innerJoin('repositories', 'repositories.id', 'likes.repo_id')
    .innerJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
    .select(['likes.id', 'likes.created_at', 'repositories.type as repoType'])
    .select(nameIfReadable(userId).as('repoName'))
    .where('likes.user_id', '=', userId)
    .where('likes.id', '>', after?.id ?? '')
    .orderBy('likes.id')
    .limit(limit)
    .execute();

/** Returns the upvotes of a user, with the titles of the collections that the user may read now. */
export const upvotesOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ collection_id: string }>) =>
  executor
    .selectFrom('collection_upvotes')
    .innerJoin('collections', 'collections.id', 'collection_upvotes.collection_id')
    .select(['collection_upvotes.collection_id', 'collection_upvotes.created_at'])
    .select(
      sql<string | null>`case when ${mayReadIfEnabled(repoColumnsOf('collections'), sql.val(userId))}
        then collections.title end`.as('title'),
    )
    .where('collection_upvotes.user_id', '=', userId)
    .where('collection_upvotes.collection_id', '>', after?.collection_id ?? '')
    .orderBy('collection_upvotes.collection_id')
    .limit(limit)
    .execute();
