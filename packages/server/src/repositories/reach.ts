import type { RepoType } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import {
  entitiesOf,
  isLimited,
  type Reader,
  readableBy,
  repoColumns,
  requireReach,
  tokenCovers,
  tokenReads,
} from '../access/index.ts';
import { type AccountRow, nameKey } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden } from '../platform/http/errors.ts';

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

const NOT_REACHED =
  'Your access token does not reach everything that this is about; use one with the role write, or with the permissions for all of it';

/** Whether a token reads whatever private thing an account has, as far as its user does. */
const reachesAccount = ({ token }: Reader, accountId: string): boolean =>
  !token.cutOff?.[accountId] && tokenReads(token, [accountId]);

/** Whether a token writes to things, given by themselves, as far as its user does. */
const writesTo = ({ token }: Reader, entityIds: readonly string[]): boolean =>
  tokenCovers(token, 'repo.write', entityIds);

interface Found {
  readonly id: string;
  readonly ownerId: string;
  readonly groupId: string | null;
  readonly reads: boolean;
}

/** The repositories behind sources, by id and by `type owner/name`. */
async function reposOf(
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
async function accountsOf(executor: ReadExecutor, sources: readonly Source[]): Promise<Map<string, string>> {
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

/** A source that a token does not reach, with the account that it belongs to, where there is one. */
interface Unreached<S> {
  readonly source: S;
  readonly ownerId: string | undefined;
}

/**
 * Of some sources those that a caller's token does not reach. A repository is reached where it may be read; what is not
 * there, or may not be seen, where all of its account is: nobody learns which it is. An account that is not there is
 * reached by no limited token, as nobody knows what it will be.
 */
export async function unreachedAmong<S extends Source>(
  executor: ReadExecutor,
  reader: Reader,
  sources: readonly S[],
): Promise<Unreached<S>[]> {
  if (!isLimited(reader) || sources.length === 0) return [];
  const repos = await reposOf(executor, reader, sources);
  const accounts = await accountsOf(executor, sources);
  return sources.flatMap((source) => {
    const key = nameKey(source.name);
    const repo =
      (source.targetId && repos.get(source.targetId)) ||
      (source.ownerId === undefined ? repos.get(`${source.type} ${key}`) : undefined);
    const ownerId =
      (source.targetId && accounts.get(source.targetId)) ??
      repo?.ownerId ??
      source.ownerId ??
      accounts.get(key.split('/')[0] ?? '');
    const reads = repo?.reads || (ownerId && reachesAccount(reader, ownerId));
    const writes = !source.written || (ownerId && writesTo(reader, repo ? entitiesOf(repo) : [ownerId]));
    return reads && writes ? [] : [{ source, ownerId: ownerId || undefined }];
  });
}

/** 403 where a token does not reach one of the sources, whatever its user may read. It names none of them. */
export async function requireSources(
  executor: ReadExecutor,
  principal: Principal,
  sources: readonly Source[],
): Promise<void> {
  const [first] = await unreachedAmong(executor, principal, sources);
  if (!first) return;
  if (first.ownerId) requireReach(principal, first.ownerId);
  throw forbidden(NOT_REACHED);
}

/** 403 for a token that reaches less than its user does. */
export const notReached = () => forbidden(NOT_REACHED);
