import type { RepoType } from '@moonbase/contract/primitives';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type RepoFacts, readableBy, repoColumns } from '../access/index.ts';
import { type AccountRow, nameKey } from '../accounts/index.ts';
import { insertNew } from '../platform/database/bulk.ts';
import { textsOf } from '../platform/database/packed/json-values.ts';
import { unawaited } from '../platform/database/postgres/unawaited.ts';
import { type Placeholder, prepared } from '../platform/database/prepared.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../platform/database/transaction.ts';
import { isOneOfMany, whereIn } from '../platform/database/where-in.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { PULL_REQUEST } from './policy.ts';
import { foldersOf } from './refs/ref-names.ts';
import { REF, type RefRow, type RepositoryRow } from './tables.ts';

/** A repository with the name, the kind and the quota of its owner. */
export interface Repository extends RepositoryRow {
  readonly ownerName: string;
  readonly ownerKind: AccountRow['kind'];
  readonly ownerQuota: AccountRow['storage_quota'];
}

/** Returns what a repository has of its owner. */
export const ownedBy = ({ name, kind, storage_quota }: Pick<AccountRow, 'name' | 'kind' | 'storage_quota'>) => ({
  ownerName: name,
  ownerKind: kind,
  ownerQuota: storage_quota,
});

export interface RepoName {
  readonly type: RepoType;
  readonly namespace: string;
  readonly name: string;
}

export const fullName = (repo: Repository): string => `${repo.ownerName}/${repo.name}`;

/** Returns the facts that access rules depend on. */
export const repoFacts = (repo: RepositoryRow): RepoFacts => ({
  id: repo.id,
  ownerId: repo.owner_id,
  private: repo.private === 1,
  createdBy: repo.created_by,
  groupId: repo.resource_group_id,
});

const repositories = (executor: ReadExecutor) =>
  executor
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .selectAll('repositories')
    .select(['accounts.name as ownerName', 'accounts.kind as ownerKind', 'accounts.storage_quota as ownerQuota']);

/** The columns of `repositories` joined with `accounts`, in lists that are written as SQL. */
export const REPOSITORY_COLUMNS = sql`repositories.*, accounts.name as "ownerName", accounts.kind as "ownerKind",
  accounts.storage_quota as "ownerQuota"`;

/** The owner beside a repository, as `REPOSITORY_COLUMNS` needs it. */
export const WITH_OWNER = {
  tables: sql`cross join accounts`,
  conditions: [sql`accounts.id = repositories.owner_id`],
};

/** The condition that the owner of a repository has a name, given as `nameKey(name)`. */
export const isOwnedBy = (executor: ReadExecutor, ownerKey: RawBuilder<string>): RawBuilder<SqlBool> =>
  isOneOfMany(executor, 'repositories.owner_id', sql`select id from accounts where name_key = ${ownerKey}`);

type Keys = Pick<RepositoryRow, 'type' | 'name_key'> & { readonly owner_key: string };

const findByName = prepared<Keys>()((executor, argument) => byKeys(executor, argument));
const lockByName = prepared<Keys>()((tx, argument) => byKeys(tx, argument).modifyEnd(forUpdateOf(tx, 'repositories')));

const byKeys = (executor: ReadExecutor, argument: Placeholder<Keys>) =>
  repositories(executor)
    .where(isOwnedBy(executor, argument('owner_key')))
    .where('repositories.type', '=', argument('type'))
    .where('repositories.name_key', '=', argument('name_key'));

const keysOf = ({ type, namespace, name }: RepoName): Keys => ({
  type,
  owner_key: nameKey(namespace),
  name_key: nameKey(name),
});

export const findRepo = async (executor: ReadExecutor, name: RepoName): Promise<Repository | undefined> =>
  (await findByName(executor, keysOf(name)))[0];

export const findRepoById = (executor: ReadExecutor, id: string): Promise<Repository | undefined> =>
  repositories(executor).where('repositories.id', '=', id).executeTakeFirst();

/** Finds a repository and locks its row until the transaction ends, so that changes run one after the other. */
export const lockRepo = async (tx: Executor, name: RepoName): Promise<Repository | undefined> =>
  (await lockByName(tx, keysOf(name)))[0];

/** Locks the row of a repository. Returns false if it is gone. */
export const lockRepoById = async (tx: Executor, id: string): Promise<boolean> =>
  (await tx
    .selectFrom('repositories')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(forUpdateOf(tx, 'repositories'))
    .executeTakeFirst()) !== undefined;

export const reposOwnedBy = (executor: Executor, ownerId: string): Promise<Repository[]> =>
  repositories(executor).where('repositories.owner_id', '=', ownerId).orderBy('repositories.id').execute();

/** Returns the given repositories that the viewer may read, in no particular order. */
export const listReadable = (
  executor: ReadExecutor,
  ids: readonly string[],
  viewer: Principal,
): Promise<Repository[]> =>
  repositories(executor)
    .where(whereIn(executor, 'repositories.id', ids))
    .where(readableBy(repoColumns, viewer))
    .execute();

/** Returns the refs of a repository in no particular order, those of pull requests only on request. */
export function refsOf(executor: ReadExecutor, repoId: string, withPullRequests: boolean) {
  const refs = executor.selectFrom('refs').select(['ref', 'sha']).where('repo_id', '=', repoId);
  return (withPullRequests ? refs : refs.where('ref', 'not like', `${PULL_REQUEST}%`)).execute();
}

export async function insertRepo(tx: Executor, row: RepositoryRow): Promise<void> {
  await tx.insertInto('repositories').values(row).execute();
}

export async function updateRepo(tx: Executor, id: string, change: Partial<RepositoryRow>): Promise<void> {
  await tx.updateTable('repositories').set(change).where('id', '=', id).execute();
}

const setModified = prepared<Pick<RepositoryRow, 'id' | 'last_modified'>>()((tx: Executor, argument) =>
  tx
    .updateTable('repositories')
    .set({ last_modified: argument('last_modified') })
    .where('id', '=', argument('id'))
    .modifyEnd(unawaited),
);

/** Stores when the branches or tags of a repository last moved. */
export async function touchRepo(tx: Executor, id: string, now: number): Promise<void> {
  await setModified(tx, { id, last_modified: now });
}

/** Deletes a repository's row; its git folder is deleted later. */
export async function deleteRepo(tx: Executor, id: string, now: number): Promise<void> {
  await tx.deleteFrom('repositories').where('id', '=', id).execute();
  await insertTombstones(tx, [id], now);
}

/**
 * Deletes up to `limit` repositories of an owner without events, and returns their ids; their git folders are deleted
 * later.
 */
export async function deleteReposOf(tx: Executor, ownerId: string, limit: number, now: number): Promise<string[]> {
  const rows = await tx
    .deleteFrom('repositories')
    .where('id', 'in', (of) =>
      of.selectFrom('repositories').select('id').where('owner_id', '=', ownerId).orderBy('id').limit(limit),
    )
    .returning('id')
    .execute();
  const ids = rows.map(({ id }) => id);
  await insertTombstones(tx, ids, now);
  return ids;
}

/** Lists repositories whose git folders are yet to be deleted. */
export async function insertTombstones(tx: Executor, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .insertInto('deleted_repositories')
    .values(ids.map((id) => ({ id, deleted_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the repositories that were deleted before a time, earliest deletion first. */
export const listTombstones = async (executor: ReadExecutor, before: number, limit: number): Promise<string[]> =>
  (
    await executor
      .selectFrom('deleted_repositories')
      .select('id')
      .where('deleted_at', '<', before)
      .orderBy('deleted_at')
      .limit(limit)
      .execute()
  ).map(({ id }) => id);

/** Deletes the entries of repositories whose git folders are gone. */
export async function deleteTombstones(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('deleted_repositories')
    .where(whereIn(tx, 'id', ids))
    .execute();
}

const shaOf = prepared<{ repoId: string; ref: string }>()((executor, argument) =>
  executor
    .selectFrom('refs')
    .select('sha')
    .where('repo_id', '=', argument('repoId'))
    .where('ref', '=', argument('ref')),
);

export const refSha = async (executor: ReadExecutor, repoId: string, ref: string): Promise<string | undefined> =>
  (await shaOf(executor, { repoId, ref }))[0]?.sha;

/** Returns those of some names that are refs, as rows: each is looked up, whatever else the repository has. */
const refsAmong = (executor: ReadExecutor, repoId: RawBuilder<string>, names: RawBuilder<string>) =>
  sql<{ ref: string }>`select value as ref from ${textsOf(executor, names)} as named
    where (select sha from refs where repo_id = ${repoId} and ref = named.value) is not null`;

const refAmong = prepared<{ repoId: string; refs: string }>()((executor, argument) =>
  refsAmong(executor, argument('repoId'), argument('refs')),
);

interface Between {
  repoId: string;
  from: string;
  to: string;
}

const refsBetween = (executor: ReadExecutor, argument: Placeholder<Between>) =>
  executor
    .selectFrom('refs')
    .select('ref')
    .where('repo_id', '=', argument('repoId'))
    .where('ref', '>', argument('from'))
    .where('ref', '<', argument('to'));

const refBetween = prepared<Between>()((executor, argument) => refsBetween(executor, argument).limit(sql.lit(1)));

/**
 * Returns the folders that git would keep a ref in as JSON, without `refs` and `refs/heads`, which every repository has, and
 * the names between which the refs below it are.
 */
const around = (ref: string) => ({
  folders: JSON.stringify(foldersOf(ref).slice(2)),
  from: `${ref}/`,
  to: `${ref}0`,
});

/**
 * Returns a ref that cannot exist beside a new one, or undefined: git keeps refs in folders, so that `a` and `a/b` exclude
 * each other.
 */
export async function refInTheWay(executor: ReadExecutor, repoId: string, ref: string): Promise<string | undefined> {
  const { folders, from, to } = around(ref);
  const [folder] = await refAmong(executor, { repoId, refs: folders });
  const [found] = folder ? [folder] : await refBetween(executor, { repoId, from, to });
  return found?.ref;
}

export const refNames = async (executor: ReadExecutor, repoId: string): Promise<string[]> =>
  (await executor.selectFrom('refs').select('ref').where('repo_id', '=', repoId).execute()).map(({ ref }) => ref);

export async function hasCommit(executor: ReadExecutor, repoId: string, sha: string): Promise<boolean> {
  const row = await executor
    .selectFrom('refs')
    .select('sha')
    .where('repo_id', '=', repoId)
    .where('sha', '=', sha)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface PutRef {
  repoId: string;
  ref: string;
  sha: string;
  tagId: string | null;
}

const insertFreeRef = prepared<PutRef & Between & { folders: string }>()((tx: Executor, argument) => {
  const below = refsBetween(tx, argument);
  const folders = refsAmong(tx, argument('repoId'), argument('folders'));
  const row = tx
    .selectNoFrom([
      argument('repoId').as('repo_id'),
      argument('ref').as('ref'),
      argument('sha').as('sha'),
      argument('tagId').as('tag_id'),
    ])
    .where((eb) => eb.not(eb.exists(below)))
    .where(sql<boolean>`not exists (${folders})`);
  return tx
    .insertInto('refs')
    .columns(['repo_id', 'ref', 'sha', 'tag_id'])
    .expression(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('ref');
});

/** Inserts a ref; returns false if it exists, or if another is in the way ({@link refInTheWay}). */
export async function insertRef(tx: Executor, { repo_id: repoId, ref, sha, tag_id: tagId }: RefRow): Promise<boolean> {
  const inserted = await insertFreeRef(tx, { repoId, ref, sha, tagId, ...around(ref) });
  return inserted.length > 0;
}

const upsertRef = prepared<PutRef>()((tx: Executor, argument) =>
  tx
    .insertInto('refs')
    .values({ repo_id: argument('repoId'), ref: argument('ref'), sha: argument('sha'), tag_id: argument('tagId') })
    .onConflict((conflict) =>
      conflict.columns(['repo_id', 'ref']).doUpdateSet({ sha: argument('sha'), tag_id: argument('tagId') }),
    )
    .modifyEnd(unawaited),
);

/** Sets a ref to a commit; `tagId` is the id of an annotated tag's object. */
export async function putRef(
  tx: Executor,
  repoId: string,
  ref: string,
  sha: string,
  tagId: string | null = null,
): Promise<void> {
  await upsertRef(tx, { repoId, ref, sha, tagId });
}

/** Sets many refs in a few statements. */
export const putRefs = (tx: Executor, rows: readonly RefRow[]): Promise<void> =>
  insertNew(tx, 'refs', REF, rows, '(repo_id, ref) do update set sha = excluded.sha, tag_id = excluded.tag_id');

export async function deleteRefs(tx: Executor, repoId: string, refs: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('refs')
    .where('repo_id', '=', repoId)
    .where(whereIn(tx, 'ref', refs))
    .execute();
}
