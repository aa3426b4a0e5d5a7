import type { RepoType } from '@moonbase/contract/primitives';
import { insertNew } from '../platform/database/bulk.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { signTags, takeUnsigned } from '../repositories/index.ts';
import { REPO_TAG, type RepoCardRow } from './tables.ts';

export const findCard = (executor: ReadExecutor, repoId: string): Promise<RepoCardRow | undefined> =>
  executor.selectFrom('repo_cards').selectAll().where('repo_id', '=', repoId).executeTakeFirst();

/** Stores the facts about a repository's files, replacing earlier ones. */
export async function putCard(tx: Executor, { repo_id, ...facts }: RepoCardRow): Promise<void> {
  await tx
    .insertInto('repo_cards')
    .values({ repo_id, ...facts })
    .onConflict((conflict) => conflict.column('repo_id').doUpdateSet(facts))
    .execute();
}

/** Replaces the tags of a repository by which lists are filtered. */
export async function putTags(tx: Executor, repoId: string, type: RepoType, tags: readonly string[]): Promise<void> {
  const keys = [...new Set(tags.map((tag) => tag.toLowerCase()))];
  await signTags(tx, new Map([[repoId, keys]]));
  await tx
    .deleteFrom('repo_tags')
    .where('repo_id', '=', repoId)
    .where((is) => is.not(whereIn(tx, 'tag', keys)))
    .execute();
  await insertNew(
    tx,
    'repo_tags',
    REPO_TAG,
    keys.map((tag) => ({ tag, type, repo_id: repoId })),
    '(tag, type, repo_id) do nothing',
  );
}

/** Stores the signatures of the tags of the next repositories that lack them; returns false if none do. */
export async function signNext(tx: Executor, limit: number): Promise<boolean> {
  const ids = await takeUnsigned(tx, limit);
  if (!ids) return false;
  const tags = new Map(ids.map((id): [string, string[]] => [id, []]));
  const rows = await tx
    .selectFrom('repo_tags')
    .select(['repo_id', 'tag'])
    .where(whereIn(tx, 'repo_id', ids))
    .execute();
  for (const { repo_id, tag } of rows) tags.get(repo_id)?.push(tag);
  await signTags(tx, tags);
  return true;
}

/**
 * Locks a repository until the transaction ends; returns the head of `main`, or undefined if the repository is gone.
 */
export async function lockHead(tx: Executor, repoId: string): Promise<string | null | undefined> {
  const row = await tx
    .selectFrom('repositories')
    .select('head_sha')
    .where('id', '=', repoId)
    .modifyEnd(forUpdateOf(tx, 'repositories'))
    .executeTakeFirst();
  return row?.head_sha;
}
