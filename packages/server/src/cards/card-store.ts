import { type Executor, forUpdateOf, type ReadExecutor } from '../platform/database/transaction.ts';
import type { RepoCardRow } from './tables.ts';

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
