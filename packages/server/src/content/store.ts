import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { Ref } from '../platform/git/bare-folder.ts';

/** Returns the given refs that a repository has. */
export const refsNamed = (executor: ReadExecutor, repoId: string, names: readonly string[]): Promise<Ref[]> =>
  executor
    .selectFrom('refs')
    .select(['ref', 'sha'])
    .where('repo_id', '=', repoId)
    .where(whereIn(executor, 'ref', names))
    .execute();

/** A ref, with the id of the tag object if the ref is an annotated tag. */
export interface StoredRef extends Ref {
  readonly tagId: string | null;
}

export const refsWithTags = (executor: ReadExecutor, repoId: string): Promise<StoredRef[]> =>
  executor.selectFrom('refs').select(['ref', 'sha', 'tag_id as tagId']).where('repo_id', '=', repoId).execute();

/** Returns all refs of a repository with the commits that they point to. */
export const allRefs = (executor: ReadExecutor, repoId: string): Promise<Ref[]> =>
  executor.selectFrom('refs').select(['ref', 'sha']).where('repo_id', '=', repoId).execute();

/** Returns a page of the ids of repositories that have commits, in order, after a given id. */
export async function gitRepoIds(executor: ReadExecutor, after: string, limit: number): Promise<string[]> {
  const rows = await executor
    .selectFrom('repositories')
    .select('id')
    .where('id', '>', after)
    .where('head_sha', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
