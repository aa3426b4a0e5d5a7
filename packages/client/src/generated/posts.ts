// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as posts from '@moonbase/contract/papers/posts';
import type { SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type Post = SuccessAnswer<typeof posts.getPost>;

export type Article = SuccessAnswer<typeof posts.getArticle>;

/**
 * Get a post with its comments.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getPost(
  params: Hub & {
    readonly username: string;
    readonly postSlug: string;
  },
): Promise<SuccessAnswer<typeof posts.getPost>> {
  return call<typeof posts.getPost>(params, {
    method: 'GET',
    path: '/api/posts/{username}/{postSlug}',
    params: { username: params.username, postSlug: params.postSlug },
  });
}

/**
 * Delete a post with its comments. For its author and for site administrators.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deletePost(
  params: Hub & {
    readonly username: string;
    readonly postSlug: string;
  },
): Promise<SuccessAnswer<typeof posts.deletePost>> {
  return call<typeof posts.deletePost>(params, {
    method: 'DELETE',
    path: '/api/posts/{username}/{postSlug}',
    params: { username: params.username, postSlug: params.postSlug },
  });
}

/**
 * Comment on a post.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The thread is full: its comments and changes have 16 MiB together.
 */
export function commentPost(
  params: Hub & {
    readonly username: string;
    readonly postSlug: string;
    readonly comment: string;
  },
): Promise<SuccessAnswer<typeof posts.commentPost>> {
  return call<typeof posts.commentPost>(params, {
    method: 'POST',
    path: '/api/posts/{username}/{postSlug}/comment',
    params: { username: params.username, postSlug: params.postSlug },
    body: { comment: params.comment },
  });
}

/**
 * Reply to a comment on a post.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The thread is full: its comments and changes have 16 MiB together.
 */
export function replyToPostComment(
  params: Hub & {
    readonly username: string;
    readonly postSlug: string;
    readonly commentId: string;
    readonly comment: string;
  },
): Promise<SuccessAnswer<typeof posts.replyToPostComment>> {
  return call<typeof posts.replyToPostComment>(params, {
    method: 'POST',
    path: '/api/posts/{username}/{postSlug}/comment/{commentId}/reply',
    params: { username: params.username, postSlug: params.postSlug, commentId: params.commentId },
    body: { comment: params.comment },
  });
}

/**
 * Hide a comment on a post permanently. For the author of the comment, the author of the post or article, and site
 * administrators.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function hidePostComment(
  params: Hub & {
    readonly username: string;
    readonly postSlug: string;
    readonly commentId: string;
  },
): Promise<SuccessAnswer<typeof posts.hidePostComment>> {
  return call<typeof posts.hidePostComment>(params, {
    method: 'POST',
    path: '/api/posts/{username}/{postSlug}/comment/{commentId}/hide',
    params: { username: params.username, postSlug: params.postSlug, commentId: params.commentId },
  });
}

/**
 * Get an article with its comments.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getArticle(
  params: Hub & {
    readonly namespace: string;
    readonly slug: string;
  },
): Promise<SuccessAnswer<typeof posts.getArticle>> {
  return call<typeof posts.getArticle>(params, {
    method: 'GET',
    path: '/api/blog/{namespace}/{slug}',
    params: { namespace: params.namespace, slug: params.slug },
  });
}

/**
 * Comment on an article.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The thread is full: its comments and changes have 16 MiB together.
 */
export function commentArticle(
  params: Hub & {
    readonly namespace: string;
    readonly slug: string;
    readonly comment: string;
  },
): Promise<SuccessAnswer<typeof posts.commentArticle>> {
  return call<typeof posts.commentArticle>(params, {
    method: 'POST',
    path: '/api/blog/{namespace}/{slug}/comment',
    params: { namespace: params.namespace, slug: params.slug },
    body: { comment: params.comment },
  });
}

/**
 * Reply to a comment on an article.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The thread is full: its comments and changes have 16 MiB together.
 */
export function replyToArticleComment(
  params: Hub & {
    readonly namespace: string;
    readonly slug: string;
    readonly commentId: string;
    readonly comment: string;
  },
): Promise<SuccessAnswer<typeof posts.replyToArticleComment>> {
  return call<typeof posts.replyToArticleComment>(params, {
    method: 'POST',
    path: '/api/blog/{namespace}/{slug}/comment/{commentId}/reply',
    params: { namespace: params.namespace, slug: params.slug, commentId: params.commentId },
    body: { comment: params.comment },
  });
}

/**
 * Hide a comment on an article permanently. For the author of the comment, the author of the post or article, and
 * site administrators.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function hideArticleComment(
  params: Hub & {
    readonly namespace: string;
    readonly slug: string;
    readonly commentId: string;
  },
): Promise<SuccessAnswer<typeof posts.hideArticleComment>> {
  return call<typeof posts.hideArticleComment>(params, {
    method: 'POST',
    path: '/api/blog/{namespace}/{slug}/comment/{commentId}/hide',
    params: { namespace: params.namespace, slug: params.slug, commentId: params.commentId },
  });
}

/**
 * Get a canonical article with its comments.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getCanonicalArticle(
  params: Hub & {
    /** Slug of a canonical article. */
    readonly slug: string;
  },
): Promise<SuccessAnswer<typeof posts.getCanonicalArticle>> {
  return call<typeof posts.getCanonicalArticle>(params, {
    method: 'GET',
    path: '/api/blog/{slug}',
    params: { slug: params.slug },
  });
}

/**
 * Comment on a canonical article.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The thread is full: its comments and changes have 16 MiB together.
 */
export function commentCanonicalArticle(
  params: Hub & {
    /** Slug of a canonical article. */
    readonly slug: string;
    readonly comment: string;
  },
): Promise<SuccessAnswer<typeof posts.commentCanonicalArticle>> {
  return call<typeof posts.commentCanonicalArticle>(params, {
    method: 'POST',
    path: '/api/blog/{slug}/comment',
    params: { slug: params.slug },
    body: { comment: params.comment },
  });
}

/**
 * Reply to a comment on a canonical article.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The thread is full: its comments and changes have 16 MiB together.
 */
export function replyToCanonicalArticleComment(
  params: Hub & {
    /** Slug of a canonical article. */
    readonly slug: string;
    readonly commentId: string;
    readonly comment: string;
  },
): Promise<SuccessAnswer<typeof posts.replyToCanonicalArticleComment>> {
  return call<typeof posts.replyToCanonicalArticleComment>(params, {
    method: 'POST',
    path: '/api/blog/{slug}/comment/{commentId}/reply',
    params: { slug: params.slug, commentId: params.commentId },
    body: { comment: params.comment },
  });
}

/**
 * Hide a comment on a canonical article permanently. For the author of the comment, the author of the post or
 * article, and site administrators.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function hideCanonicalArticleComment(
  params: Hub & {
    /** Slug of a canonical article. */
    readonly slug: string;
    readonly commentId: string;
  },
): Promise<SuccessAnswer<typeof posts.hideCanonicalArticleComment>> {
  return call<typeof posts.hideCanonicalArticleComment>(params, {
    method: 'POST',
    path: '/api/blog/{slug}/comment/{commentId}/hide',
    params: { slug: params.slug, commentId: params.commentId },
  });
}
