import type { RepoType } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { isOwnedBy } from '../../repositories/index.ts';

/** Returns the ids of the repositories of an owner that have a name, at most one per type. */
export async function findRepoIds(
  executor: ReadExecutor,
  {
    ownerKey,
    nameKey,
    type,
  }: { readonly ownerKey: string; readonly nameKey: string; readonly type?: RepoType | undefined },
): Promise<string[]> {
  let query = executor
    .selectFrom('repositories')
    .select('repositories.id')
    .where(isOwnedBy(executor, sql`${ownerKey}`))
    .where('repositories.name_key', '=', nameKey);
  if (type) query = query.where('repositories.type', '=', type);
  return idsIn(await query.execute());
}

export const findAccountIds = async (executor: ReadExecutor, nameKey: string): Promise<string[]> =>
  idsIn(await executor.selectFrom('accounts').select('id').where('name_key', '=', nameKey).execute());

/** Returns the ids of the papers that have an id of the hub or an arXiv identifier. */
export const findPaperIds = async (executor: ReadExecutor, id: string, arxivId: string): Promise<string[]> =>
  idsIn(
    await executor
      .selectFrom('papers')
      .select('id')
      .where(sql<boolean>`(id = ${id} or arxiv_id = ${arxivId})`)
      .execute(),
  );

/** Returns the ids of the articles that have an id or a slug; articles of different authors may have the same slug. */
export const findArticleIds = async (executor: ReadExecutor, idOrSlug: string): Promise<string[]> =>
  idsIn(
    await executor
      .selectFrom('posts')
      .select('id')
      .where('kind', '=', 'article')
      .where(sql<boolean>`(id = ${idOrSlug} or slug = ${idOrSlug})`)
      .limit(1000)
      .execute(),
  );

const idsIn = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
