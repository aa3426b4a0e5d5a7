import { sql } from 'kysely';
import { insertNew } from '../../platform/database/bulk.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { type AnswerRow, ENTRY, type EntryRow, type UpstreamRepoRow, type UpstreamType } from '../tables.ts';
import { addToTotal } from '../total-store.ts';

/** A commit of a repository of the upstream; an empty commit stands for the whole repository. */
export interface CommitKey {
  readonly repo_id: string;
  readonly commit_id: string;
}

export const findUpstreamRepo = (
  executor: ReadExecutor,
  type: UpstreamType,
  nameKey: string,
): Promise<UpstreamRepoRow | undefined> =>
  executor
    .selectFrom('upstream_repos')
    .selectAll()
    .where('type', '=', type)
    .where('name_key', '=', nameKey)
    .executeTakeFirst();

/** Records a repository, or what is new about it; returns its row. */
export const putUpstreamRepo = (tx: Executor, row: UpstreamRepoRow): Promise<UpstreamRepoRow> =>
  tx
    .insertInto('upstream_repos')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['type', 'name_key']).doUpdateSet({
        ...{ name: row.name, remote_id: row.remote_id, state: row.state },
        ...{ checked_at: row.checked_at, used_at: row.used_at },
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Takes the name from a repository with another id at the upstream, whose place another one has taken there, so that
 * nobody finds what is kept of it; pruning deletes that.
 */
export async function retireNamesake(
  tx: Executor,
  type: UpstreamType,
  nameKey: string,
  remoteId: string,
): Promise<void> {
  await tx
    .updateTable('upstream_repos')
    .set({ name_key: sql<string>`id`, state: 'gone', used_at: 0 })
    .where('type', '=', type)
    .where('name_key', '=', nameKey)
    .where('remote_id', '<>', remoteId)
    .execute();
}

/** Notes that a repository was not found. */
export async function markGone(tx: Executor, type: UpstreamType, nameKey: string, now: number): Promise<void> {
  await tx
    .updateTable('upstream_repos')
    .set({ state: 'gone', checked_at: now })
    .where('type', '=', type)
    .where('name_key', '=', nameKey)
    .execute();
}

export const findRevision = (
  executor: ReadExecutor,
  repoId: string,
  revision: string,
): Promise<{ commit_id: string; checked_at: number } | undefined> =>
  executor
    .selectFrom('upstream_revisions')
    .select(['commit_id', 'checked_at'])
    .where('repo_id', '=', repoId)
    .where('revision', '=', revision)
    .executeTakeFirst();

export async function putRevision(
  tx: Executor,
  row: { repo_id: string; revision: string; commit_id: string; checked_at: number },
): Promise<void> {
  await tx
    .insertInto('upstream_revisions')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['repo_id', 'revision']).doUpdateSet({ commit_id: row.commit_id, checked_at: row.checked_at }),
    )
    .execute();
}

export async function deleteRevision(tx: Executor, repoId: string, revision: string): Promise<void> {
  await tx.deleteFrom('upstream_revisions').where('repo_id', '=', repoId).where('revision', '=', revision).execute();
}

export const findCommit = (
  executor: ReadExecutor,
  { repo_id, commit_id }: CommitKey,
): Promise<{ bytes: number; used_at: number } | undefined> =>
  executor
    .selectFrom('upstream_commits')
    .select(['bytes', 'used_at'])
    .where('repo_id', '=', repo_id)
    .where('commit_id', '=', commit_id)
    .executeTakeFirst();

/** Notes the use of a commit, and that of its repository. */
export async function touchCommit(tx: Executor, { repo_id, commit_id }: CommitKey, now: number): Promise<void> {
  await tx
    .insertInto('upstream_commits')
    .values({ repo_id, commit_id, bytes: 0, used_at: now })
    .onConflict((conflict) => conflict.columns(['repo_id', 'commit_id']).doUpdateSet({ used_at: now }))
    .execute();
  await tx.updateTable('upstream_repos').set({ used_at: now }).where('id', '=', repo_id).execute();
}

export const findAnswer = (
  executor: ReadExecutor,
  { repo_id, commit_id }: CommitKey,
  question: string,
): Promise<Pick<AnswerRow, 'answer' | 'next' | 'fetched_at'> | undefined> =>
  executor
    .selectFrom('upstream_answers')
    .select(['answer', 'next', 'fetched_at'])
    .where('repo_id', '=', repo_id)
    .where('commit_id', '=', commit_id)
    .where('question', '=', question)
    .executeTakeFirst();

/** Stores an answer about a commit that was touched before, in place of an earlier one. */
export async function putAnswer(tx: Executor, row: AnswerRow): Promise<void> {
  const { repo_id, commit_id, question, answer, next, fetched_at } = row;
  const before = await tx
    .selectFrom('upstream_answers')
    .select(sql<number>`length(answer)`.as('length'))
    .where('repo_id', '=', repo_id)
    .where('commit_id', '=', commit_id)
    .where('question', '=', question)
    .executeTakeFirst();
  await tx
    .insertInto('upstream_answers')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['repo_id', 'commit_id', 'question']).doUpdateSet({ answer, next, fetched_at }),
    )
    .execute();
  await addBytes(tx, row, answer.length - Number(before?.length ?? 0));
}

async function addBytes(tx: Executor, { repo_id, commit_id }: CommitKey, bytes: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('upstream_commits')
    .set({ bytes: sql<number>`bytes + ${bytes}` })
    .where('repo_id', '=', repo_id)
    .where('commit_id', '=', commit_id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await addToTotal(tx, 'facts', bytes);
}

export const findEntries = (
  executor: ReadExecutor,
  { repo_id, commit_id }: CommitKey,
  paths: readonly string[],
): Promise<Pick<EntryRow, 'path' | 'entry'>[]> =>
  executor
    .selectFrom('upstream_entries')
    .select(['path', 'entry'])
    .where('repo_id', '=', repo_id)
    .where('commit_id', '=', commit_id)
    .where(whereIn(executor, 'path', paths))
    .execute();

/** Stores entries of a commit that was touched before, and counts their characters; entries never change. */
export async function putEntries(
  tx: Executor,
  at: CommitKey,
  rows: readonly EntryRow[],
  characters: number,
): Promise<void> {
  await insertNew(tx, 'upstream_entries', ENTRY, rows);
  await addBytes(tx, at, characters);
}
