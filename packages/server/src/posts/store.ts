import type { PostRow } from '../platform/database/tables.ts';
import type { Executor } from '../platform/database/transaction.ts';

/** A post or an article. */
export type Post = PostRow;

export const findPost = (
  executor: Executor,
  kind: Post['kind'],
  authorId: string,
  slug: string,
): Promise<Post | undefined> =>
  executor
    .selectFrom('posts')
    .selectAll()
    .where('author_id', '=', authorId)
    .where('kind', '=', kind)
    .where('slug', '=', slug)
    .executeTakeFirst();

export async function insertPost(tx: Executor, post: Post): Promise<void> {
  await tx.insertInto('posts').values(post).execute();
}

export async function updatePost(tx: Executor, id: string, change: Partial<Post>): Promise<void> {
  await tx.updateTable('posts').set(change).where('id', '=', id).execute();
}

export async function deletePost(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('posts').where('id', '=', id).execute();
}
