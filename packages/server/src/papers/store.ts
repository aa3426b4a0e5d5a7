import type { Executor } from '../platform/database/transaction.ts';

export interface Paper {
  readonly id: string;
  readonly arxiv_id: string;
  readonly title: string;
  readonly summary: string;
  readonly created_at: number;
}

export interface PaperAuthor {
  readonly name: string;
  readonly user_id: string | null;
}

export const findPaper = (executor: Executor, arxivId: string): Promise<Paper | undefined> =>
  executor.selectFrom('papers').selectAll().where('arxiv_id', '=', arxivId).executeTakeFirst();

export async function insertPaper(tx: Executor, paper: Paper): Promise<void> {
  await tx.insertInto('papers').values(paper).execute();
}

export async function updatePaper(tx: Executor, id: string, change: Partial<Paper>): Promise<void> {
  await tx.updateTable('papers').set(change).where('id', '=', id).execute();
}

export async function deletePaper(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('papers').where('id', '=', id).execute();
}

export const authorsOf = (executor: Executor, paperId: string): Promise<PaperAuthor[]> =>
  executor
    .selectFrom('paper_authors')
    .select(['name', 'user_id'])
    .where('paper_id', '=', paperId)
    .orderBy('position')
    .execute();

export async function replaceAuthors(
  tx: Executor,
  paperId: string,
  authors: readonly (PaperAuthor & { id: string })[],
): Promise<void> {
  await tx.deleteFrom('paper_authors').where('paper_id', '=', paperId).execute();
  if (authors.length === 0) return;
  await tx
    .insertInto('paper_authors')
    .values(authors.map((author, position) => ({ ...author, paper_id: paperId, position })))
    .execute();
}
