import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';

/** The bucket of a hub; `since` is null until the bucket says so as well. */
interface OwnBucket {
  readonly owner: string;
  readonly since: number | null;
}

export const findBucket = (executor: ReadExecutor): Promise<OwnBucket | undefined> =>
  executor.selectFrom('git_buckets').select(['owner', 'since']).executeTakeFirst();

/** Returns whether the git objects of this hub are in a bucket. */
export const isInBucket = async (executor: ReadExecutor): Promise<boolean> =>
  typeof (await findBucket(executor))?.since === 'number';

/** Inserts the row unless there is one; returns the one that is there. */
export async function insertBucket(tx: Executor, owner: string): Promise<OwnBucket> {
  await tx
    .insertInto('git_buckets')
    .values({ one: 1, owner, since: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx.selectFrom('git_buckets').select(['owner', 'since']).executeTakeFirstOrThrow();
}

export async function markBucket(tx: Executor, since: number): Promise<void> {
  await tx.updateTable('git_buckets').set({ since }).where('since', 'is', null).execute();
}

/** Returns a page of repositories with a ref that leads to something else than a root commit, after a given id. */
export async function reposWithObjects(executor: ReadExecutor, after: string, limit: number): Promise<string[]> {
  const rows = await executor
    .selectFrom('refs')
    .select('repo_id')
    .distinct()
    .where('repo_id', '>', after)
    .where((is) =>
      is.or([
        is('tag_id', 'is not', null),
        is.not(
          is.exists(
            is
              .selectFrom('root_commits')
              .select('sha')
              .whereRef('root_commits.repo_id', '=', 'refs.repo_id')
              .whereRef('root_commits.sha', '=', 'refs.sha'),
          ),
        ),
      ]),
    )
    .orderBy('repo_id')
    .limit(limit)
    .execute();
  return rows.map(({ repo_id }) => repo_id);
}
