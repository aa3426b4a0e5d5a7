import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { RootCommit } from './root-commits.ts';

/** Stores a root commit unless the repository has it already. */
export async function insertRootCommit(tx: Executor, repoId: string, { sha, body }: RootCommit): Promise<void> {
  await tx
    .insertInto('root_commits')
    .values({ repo_id: repoId, sha, body })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const rootCommitsOf = (executor: ReadExecutor, repoId: string): Promise<RootCommit[]> =>
  executor.selectFrom('root_commits').select(['sha', 'body']).where('repo_id', '=', repoId).orderBy('sha').execute();

/** Returns repositories without a root commit, whose refs point to no real commit, with the names of their creators. */
export const reposWithoutRoot = (tx: Executor, limit: number) =>
  tx
    .selectFrom('repositories')
    .leftJoin('accounts', 'accounts.id', 'repositories.created_by')
    .select(['repositories.id', 'repositories.type', 'repositories.created_at', 'accounts.name as author'])
    .where('repositories.head_sha', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('root_commits').select('sha').whereRef('root_commits.repo_id', '=', 'repositories.id')),
      ),
    )
    .orderBy('repositories.id')
    .limit(limit)
    .execute();

/** Moves all refs of a repository to one commit. */
export async function moveAllRefs(tx: Executor, repoId: string, sha: string): Promise<void> {
  await tx.updateTable('refs').set({ sha }).where('repo_id', '=', repoId).execute();
  await tx.updateTable('repositories').set({ head_sha: sha }).where('id', '=', repoId).execute();
}
