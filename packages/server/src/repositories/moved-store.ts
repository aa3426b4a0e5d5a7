import { type Reader, readableBy, repoColumns } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { RepoName } from './store.ts';

const keysOf = ({ type, namespace, name }: RepoName) => ({
  ...{ type, owner_key: nameKey(namespace), name_key: nameKey(name) },
});

/** Records a former name of a repository. */
export async function putOldName(tx: Executor, repoId: string, name: RepoName): Promise<void> {
  await tx
    .insertInto('moved_repositories')
    .values({ ...keysOf(name), repo_id: repoId })
    .onConflict((conflict) => conflict.columns(['type', 'owner_key', 'name_key']).doUpdateSet({ repo_id: repoId }))
    .execute();
}

/** Deletes the redirect of a name that a repository has taken. */
export async function deleteOldName(tx: Executor, name: RepoName): Promise<void> {
  const { type, owner_key, name_key } = keysOf(name);
  await tx
    .deleteFrom('moved_repositories')
    .where('type', '=', type)
    .where('owner_key', '=', owner_key)
    .where('name_key', '=', name_key)
    .execute();
}

/** Returns whether repositories of some types had names in a namespace that lead to them now. */
export async function hasOldNames(
  executor: ReadExecutor,
  namespace: string,
  types: readonly RepoName['type'][],
): Promise<boolean> {
  const moved = await executor
    .selectFrom('moved_repositories')
    .select('repo_id')
    .where('type', 'in', types)
    .where('owner_key', '=', nameKey(namespace))
    .limit(1)
    .executeTakeFirst();
  return moved !== undefined;
}

export interface NewName {
  readonly owner: string;
  readonly name: string;
}

/** Returns the current name of a moved repository, if the reader may read it. */
export const findNewName = (executor: ReadExecutor, reader: Reader, old: RepoName): Promise<NewName | undefined> => {
  const { type, owner_key, name_key } = keysOf(old);
  return executor
    .selectFrom('moved_repositories')
    .innerJoin('repositories', 'repositories.id', 'moved_repositories.repo_id')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select(['accounts.name as owner', 'repositories.name'])
    .where('moved_repositories.type', '=', type)
    .where('moved_repositories.owner_key', '=', owner_key)
    .where('moved_repositories.name_key', '=', name_key)
    .where(readableBy(repoColumns, reader))
    .executeTakeFirst();
};
