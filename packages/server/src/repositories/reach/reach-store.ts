import type { RepoType } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { type Reader, readableBy, repoColumns } from '../../access/index.ts';
import { type AccountRow, nameKey } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';

/** A source of content: a repository, or an account with all of its present and future repositories. */
export interface Source {
  readonly type: AccountRow['kind'] | RepoType;
  /** A name such as `namespace/name`, or that of an account, which need not exist. */
  readonly name: string;
  /** The id of the repository or account that the name was last resolved to; null or absent if there was none. */
  readonly targetId?: string | null;
  /** The owner at that time; if present, the name no longer counts, because something else may have it now. */
  readonly ownerId?: string;
  /** Whether this is about the files of the source, which a gated repository keeps from some tokens. */
  readonly files?: boolean;
  /** Whether the source is written to as well. */
  readonly written?: boolean;
}

interface SourceRepo {
  readonly id: string;
  readonly ownerId: string;
  readonly groupId: string | null;
  readonly reads: boolean;
  readonly gated: boolean;
}

/**
 * Returns the repositories that sources name, readable or not, under their ids and under `type owner/name` in lower
 * case. Accounts are not expanded. The map may contain other repositories, so look entries up by key.
 */
export async function sourceRepos(
  executor: ReadExecutor,
  reader: Reader,
  sources: readonly Source[],
): Promise<Map<string, SourceRepo>> {
  const nameParts = sources.map(({ name }) => nameKey(name).split('/'));
  const ids = sources.flatMap(({ targetId }) => targetId ?? []);
  const rows = await executor
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select(['repositories.id', 'repositories.type', 'repositories.name_key', 'accounts.name_key as owner_key'])
    .select(['repositories.owner_id as ownerId', 'repositories.resource_group_id as groupId'])
    .select('repositories.gated')
    .select(sql<number>`case when ${readableBy(repoColumns, reader)} then 1 else 0 end`.as('reads'))
    .where((eb) =>
      eb.or([
        whereIn(executor, 'repositories.id', [...new Set(ids)]),
        eb.and([
          whereIn(executor, 'accounts.name_key', [...new Set(nameParts.map(([owner = '']) => owner))]),
          whereIn(executor, 'repositories.name_key', [...new Set(nameParts.flatMap(([, name]) => name ?? []))]),
        ]),
      ]),
    )
    .execute();
  return new Map(
    rows.flatMap(({ id, ownerId, groupId, reads, ...row }) => {
      const found = { id, ownerId, groupId, reads: Number(reads) === 1, gated: row.gated !== null };
      return [
        [id, found],
        [`${row.type} ${row.owner_key}/${row.name_key}`, found],
      ];
    }),
  );
}

/**
 * Returns the ids of the accounts that sources name or belong to, under their lower-case names and under the ids
 * themselves.
 */
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
