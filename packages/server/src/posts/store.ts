import { type Executor, forUpdateOf, type ReadExecutor } from '../platform/database/transaction.ts';
import type { PostRow } from './tables.ts';

/** A post or an article. */
export type Post = PostRow;

export const findPost = (
  executor: ReadExecutor,
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

/** Returns the article of a slug without a namespace; if there are several, as older releases allowed, the oldest. */
export const findCanonical = (executor: ReadExecutor, slug: string): Promise<Post | undefined> =>
  executor
    .selectFrom('posts')
    .selectAll()
    .where('kind', '=', 'article')
    .where('canonical', '=', 1)
    .where('slug', '=', slug)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** Returns a post, locked until the end of the transaction. */
export const lockPost = (tx: Executor, id: string): Promise<Post | undefined> =>
  tx.selectFrom('posts').selectAll().where('id', '=', id).modifyEnd(forUpdateOf(tx, 'posts')).executeTakeFirst();

/** Returns all posts and articles of a user. */
export const postsOf = (executor: Executor, authorId: string): Promise<Post[]> =>
  executor.selectFrom('posts').selectAll().where('author_id', '=', authorId).execute();

export async function insertPost(tx: Executor, post: Post): Promise<void> {
  await tx.insertInto('posts').values(post).execute();
}

export async function updatePost(tx: Executor, id: string, change: Partial<Post>): Promise<void> {
  await tx.updateTable('posts').set(change).where('id', '=', id).execute();
}

export async function deletePost(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('posts').where('id', '=', id).execute();
}
