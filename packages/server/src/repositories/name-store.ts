import type { RepoType } from '@moonbase/contract/primitives';
import { type AccountRow, nameKey } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';

/** The name of an account, or that of a repository as `namespace/name`. */
export interface TypedName {
  readonly type: AccountRow['kind'] | RepoType;
  readonly name: string;
}

/** Returns the ids behind names in the same order, undefined for unknown names; access is not checked. */
export async function resolveNames(
  executor: ReadExecutor,
  items: readonly TypedName[],
): Promise<(string | undefined)[]> {
  if (items.length === 0) return [];
  const partsOf = ({ name }: TypedName) => nameKey(name).split('/');
  const found = new Map<string, string>();
  const accounts = await executor
    .selectFrom('accounts')
    .select(['id', 'kind', 'name_key'])
    .where(whereIn(executor, 'name_key', [...new Set(items.map((item) => partsOf(item)[0] ?? ''))]))
    .execute();
  for (const account of accounts) found.set(`${account.kind}:${account.name_key}`, account.id);
  const repoKeys = [...new Set(items.flatMap((item) => partsOf(item)[1] ?? []))];
  if (accounts.length > 0 && repoKeys.length > 0) {
    const ownerIds = accounts.map((account) => account.id);
    const repos = await executor
      .selectFrom('repositories')
      .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
      .select(['repositories.id', 'repositories.type', 'repositories.name_key', 'accounts.name_key as ownerKey'])
      .where(whereIn(executor, 'repositories.owner_id', ownerIds))
      .where(whereIn(executor, 'repositories.type', [...new Set(items.map((item) => item.type))]))
      .where(whereIn(executor, 'repositories.name_key', repoKeys))
      .execute();
    for (const repo of repos) found.set(`${repo.type}:${repo.ownerKey}/${repo.name_key}`, repo.id);
  }
  return items.map(({ type, name }) => found.get(`${type}:${nameKey(name)}`));
}
