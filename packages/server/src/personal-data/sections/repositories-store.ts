import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { nameIfReadable } from '../names/repo-name-conditions.ts';
import type { Page } from '../section.ts';

/** Returns the repositories that a user owns. */
export const repositoriesOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
  executor
    .selectFrom('repositories')
    .innerJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
    .selectAll('repositories')
    .select('owners.name as ownerName')
    .where('repositories.owner_id', '=', userId)
    .where('repositories.id', '>', after?.id ?? '')
    .orderBy('repositories.id')
    .limit(limit)
    .execute();

/** Returns the mirrors that a user has set up, each with its repository. */
export const mirrorsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
  executor
    .selectFrom('mirrors')
    .innerJoin('repositories', 'repositories.id', 'mirrors.id')
    .innerJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
    .select(['mirrors.id', 'mirrors.url', 'mirrors.username', 'mirrors.interval_seconds', 'mirrors.created_at'])
    .select('repositories.type as repoType')
    .select(nameIfReadable(userId).as('repoName'))
    .where('mirrors.user_id', '=', userId)
    .where('mirrors.id', '>', after?.id ?? '')
    .orderBy('mirrors.id')
    .limit(limit)
    .execute();

export const fileLocksOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
  executor
    .selectFrom('file_locks')
    .innerJoin('repositories', 'repositories.id', 'file_locks.repo_id')
    .innerJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
    .select(['file_locks.id', 'file_locks.path', 'file_locks.locked_at', 'repositories.type as repoType'])
    .select(nameIfReadable(userId).as('repoName'))
    .where('file_locks.owner_id', '=', userId)
    .where('file_locks.id', '>', after?.id ?? '')
    .orderBy('file_locks.id')
    .limit(limit)
    .execute();
