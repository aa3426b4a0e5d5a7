import { plainArxivId } from '@moonbase/contract/papers/arxiv';
import { sql } from 'kysely';
import { contains } from '../platform/database/contains.ts';
import type { Tables } from '../platform/database/tables.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { Period } from './period.ts';
import type { PaperAuthorRow } from './tables.ts';

export type Paper = Omit<Tables['papers'], 'title_key'>;
export type PaperAuthor = PaperAuthorRow;

const OBJECT_ID = /^[0-9a-fA-F]{24}$/;

/** Selects a paper by arXiv identifier, in any of its forms, or by object id; the two are never ambiguous. */
const identified = (executor: ReadExecutor, paperId: string) =>
  OBJECT_ID.test(paperId)
    ? executor.selectFrom('papers').selectAll().where('id', '=', paperId.toLowerCase())
    : executor.selectFrom('papers').selectAll().where('arxiv_id', '=', plainArxivId(paperId));

export const findPaper = (executor: ReadExecutor, paperId: string): Promise<Paper | undefined> =>
  identified(executor, paperId).executeTakeFirst();

/** Returns the papers with these object ids, in no particular order. */
export const findPapers = (executor: ReadExecutor, ids: readonly string[]): Promise<Paper[]> =>
  executor
    .selectFrom('papers')
    .selectAll()
    .where(whereIn(executor, 'id', ids))
    .execute();

/** Returns a paper by identifier, locked until the end of the transaction. */
export const lockPaper = (tx: Executor, paperId: string): Promise<Paper | undefined> =>
  identified(tx, paperId).modifyEnd(forUpdateOf(tx, 'papers')).executeTakeFirst();

export interface PaperFilter {
  /** In lower case; each must occur in the title or in the arXiv identifier. */
  readonly words: readonly string[];
  readonly period: Period;
}

function withWords(executor: ReadExecutor, { words, period: [from, until] }: PaperFilter) {
  let query = executor.selectFrom('papers').where('created_at', '>=', from).where('created_at', '<', until);
  for (const word of words)
    query = query.where((eb) => eb.or([contains(sql.ref('title_key'), word), contains(sql.ref('arxiv_id'), word)]));
  return query;
}

/** Returns papers, most recently added first. */
export const listPapers = (
  executor: ReadExecutor,
  filter: PaperFilter,
  { start, limit }: { start: number; limit: number },
): Promise<Paper[]> =>
  withWords(executor, filter)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(start)
    .limit(limit)
    .execute();

/** Returns how many papers pass a filter, up to a maximum. */
export const countPapers = async (executor: ReadExecutor, filter: PaperFilter, max: number): Promise<number> =>
  (await withWords(executor, filter).select('id').limit(max).execute()).length;

export async function insertPaper(tx: Executor, paper: Paper): Promise<void> {
  await tx
    .insertInto('papers')
    .values({ ...paper, title_key: paper.title.toLowerCase() })
    .execute();
}

export async function updatePaper(tx: Executor, id: string, change: Partial<Paper>): Promise<void> {
  const title = change.title === undefined ? {} : { title_key: change.title.toLowerCase() };
  await tx
    .updateTable('papers')
    .set({ ...change, ...title })
    .where('id', '=', id)
    .execute();
}

export async function deletePaper(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('papers').where('id', '=', id).execute();
}

const ofPaper = (executor: ReadExecutor, paperId: string) =>
  executor.selectFrom('paper_authors').selectAll().where('paper_id', '=', paperId);

/** Returns the author entries of a paper, in the order of the paper. */
export const authorsOf = (executor: ReadExecutor, paperId: string): Promise<PaperAuthor[]> =>
  ofPaper(executor, paperId).orderBy('position').execute();

/** Returns the author entries of several papers, in the order of each paper. */
export const authorsOfAll = (executor: ReadExecutor, paperIds: readonly string[]): Promise<PaperAuthor[]> =>
  executor
    .selectFrom('paper_authors')
    .selectAll()
    .where(whereIn(executor, 'paper_id', paperIds))
    .orderBy('position')
    .execute();

/** Returns the author entries of a paper, locked until the end of the transaction. */
export const lockAuthorsOf = (tx: Executor, paperId: string): Promise<PaperAuthor[]> =>
  ofPaper(tx, paperId).orderBy('position').modifyEnd(forUpdateOf(tx, 'paper_authors')).execute();

/** Returns an author entry, locked until the end of the transaction, which serializes decisions about its owner. */
export const lockAuthor = (tx: Executor, paperId: string, authorId: string): Promise<PaperAuthor | undefined> =>
  ofPaper(tx, paperId).where('id', '=', authorId).modifyEnd(forUpdateOf(tx, 'paper_authors')).executeTakeFirst();

export async function insertAuthor(tx: Executor, author: PaperAuthor): Promise<void> {
  await tx.insertInto('paper_authors').values(author).execute();
}

export async function updateAuthor(tx: Executor, id: string, change: Partial<PaperAuthor>): Promise<void> {
  await tx.updateTable('paper_authors').set(change).where('id', '=', id).execute();
}

export async function deleteAuthor(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('paper_authors').where('id', '=', id).execute();
}
