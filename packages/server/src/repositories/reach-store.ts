import type { RepoType } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { type Reader, readableBy, repoColumns } from '../access/index.ts';
import { type AccountRow, nameKey } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';

/** Where content comes from: a repository, or an account with all its repositories, now and later. */
export interface Source {
  readonly type: AccountRow['kind'] | RepoType;
  /** As `namespace/name`, or the name of an account. It need not stand for anything. */
  readonly name: string;
  /** What the name stood for when it was bound. */
  readonly targetId?: string | null;
  /** Whose it was then. With it, the name counts no more: something else may have it now. */
  readonly ownerId?: string;
  /** Whether it is written to, too. */
  readonly written?: boolean;
}

interface Found {
  readonly id: string;
  readonly ownerId: string;
  readonly groupId: string | null;
  readonly reads: boolean;
}

/**
 * Returns the repositories that sources name, not those of accounts: each under its id and under `type owner/name` in lower
 * case, also where the reader may not read it. Others may be in the map; look up by key.
 */
export async function sourceRepos(
  executor: ReadExecutor,
  reader: Reader,
  sources: readonly Source[],
): Promise<Map<string, Found>> {
  const named = sources.map(({ name }) => nameKey(name).split('/'));
  const ids = sources.flatMap(({ targetId }) => targetId ?? []);
  const rows = await executor
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select(['repositories.id', 'repositories.type', 'repositories.name_key', 'accounts.name_key as owner_key'])
    .select(['repositories.owner_id as ownerId', 'repositories.resource_group_id as groupId'])
    .select(sql<number>`case when ${readableBy(repoColumns, reader)} then 1 else 0 end`.as('reads'))
    .where((eb) =>
      eb.or([
        whereIn(executor, 'repositories.id', [...new Set(ids)]),
        eb.and([
          whereIn(executor, 'accounts.name_key', [...new Set(named.map(([owner = '']) => owner))]),
          whereIn(executor, 'repositories.name_key', [...new Set(named.flatMap(([, name]) => name ?? []))]),
        ]),
      ]),
    )
    .execute();
  return new Map(
    rows.flatMap(({ id, ownerId, groupId, reads, ...row }) => {
      const found = { id, ownerId, groupId, reads: Number(reads) === 1 };
      return [
        [id, found],
        [`${row.type} ${row.owner_key}/${row.name_key}`, found],
      ];
    }),
  );
}

/** The ids of the accounts that sources name, or are in, by their names in lower case and by themselves. */
export async function sourceAccounts(executor: ReadExecutor, sources: readonly Source[]): Promise<Map<string, string>> {
  const keys = sources.map(({ name }) => nameKey(name).split('/')[0] ?? '');
  const ids = sources.flatMap(({ targetId }) => targetId ?? []);
  const rows = await executor
    .selectFrom('accounts')
    .select(['id', 'name_key'])
    .where((eb) =>
      eb.or([whereIn(executor, 'id', [...new Set(ids)]), whereIn(executor, 'name_key', [...new Set(keys)])]),
    )
    .execute();
  return new Map(
    rows.flatMap(({ id, name_key }) => [
      [id, id],
      [name_key, id],
    ]),
  );
}
