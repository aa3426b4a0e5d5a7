import { authorize, requirePermission } from '../access/index.ts';
import { findAccount, findAccountById } from '../accounts/index.ts';
import type { Comments, Thread, WrittenComment } from '../comments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller, Visitor } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { presentArticle, presentPost } from './present.ts';
import { deletePost, findCanonical, findPost, insertPost, lockPost, type Post, updatePost } from './store.ts';

export type Posts = ReturnType<typeof createPosts>;

/** The location of a post or article; a canonical article has none of an author. */
export type Place =
  | { readonly kind: Post['kind']; readonly author: string; readonly slug: string }
  | { readonly kind: 'article'; readonly author?: undefined; readonly slug: string };

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly comments: Comments;
}

const threadOf = ({ kind, id }: Post): Thread => ({ type: kind === 'post' ? 'post' : 'community_blog', id });

const ownedThreadOf = (post: Post) => ({ ...threadOf(post), ownerIds: [post.author_id] });

export function createPosts({ database, clock, ids, comments }: Dependencies) {
  async function at(executor: ReadExecutor, { kind, author, slug }: Place): Promise<Post> {
    const account = author === undefined ? undefined : await findAccount(executor, author);
    const post =
      author === undefined
        ? await findCanonical(executor, slug)
        : account && (await findPost(executor, kind, account.id, slug));
    if (!post) throw notFound(`There is no such ${kind}`);
    return post;
  }

  /** Runs a change of a post while the post is locked. */
  const withLock = <T>(place: Place, change: (tx: Executor, post: Post) => Promise<T>) =>
    database.transaction(async (tx) => {
      const post = await lockPost(tx, (await at(tx, place)).id);
      if (!post) throw notFound(`There is no such ${place.kind}`);
      return change(tx, post);
    });

  async function read(caller: Visitor, place: Place) {
    const { read } = database;
    const post = await at(read, place);
    const [author, said] = await Promise.all([
      findAccountById(read, post.author_id),
      comments.list(read, caller.baseUrl, post.id),
    ]);
    if (!author) throw notFound(`There is no such ${place.kind}`);
    return [caller.baseUrl, post, author, said] as const;
  }

  async function remove(tx: Executor, caller: Caller, post: Post): Promise<void> {
    await deletePost(tx, post.id);
    await comments.deleteComments(tx, caller, threadOf(post));
  }

  return {
    getPost: async (caller: Visitor, place: Place & { kind: 'post' }) => presentPost(...(await read(caller, place))),
    getArticle: async (caller: Visitor, place: Place & { kind: 'article' }) =>
      presentArticle(...(await read(caller, place))),

    async comment(caller: Caller, place: Place, given: WrittenComment) {
      const written = await comments.write(caller, given);
      return withLock(place, (tx, post) => comments.add(tx, caller, ownedThreadOf(post), written));
    },

    hideComment: (caller: Caller, place: Place, commentId: string) =>
      withLock(place, (tx, post) => comments.hide(tx, caller, ownedThreadOf(post), commentId)),

    delete: (caller: Caller, place: Place) =>
      withLock(place, async (tx, post) => {
        const { principal } = caller;
        if (post.author_id !== principal.userId) authorize(principal, 'site-admin');
        requirePermission(principal, 'discussion.write', [post.id, post.author_id]);
        await remove(tx, caller, post);
      }),

    async insert(tx: Executor, caller: Caller, given: Omit<Post, 'id' | 'created_at'>): Promise<void> {
      const post: Post = { ...given, id: ids(), created_at: clock.now() };
      await insertPost(tx, post);
      await comments.recordThread(tx, caller, 'create', threadOf(post));
    },

    async update(tx: Executor, caller: Caller, post: Post, change: Partial<Pick<Post, 'title' | 'canonical'>>) {
      await updatePost(tx, post.id, change);
      await comments.recordThread(tx, caller, 'update', threadOf(post));
    },

    remove,
  };
}
