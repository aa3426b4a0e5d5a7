import type * as routes from '@moonbase/contract/papers/posts';
import type { RouteBody, SuccessAnswer } from './operation.ts';
import { call, type Hub } from './request.ts';

/** A post, by its author and slug. */
export type OnePost = Hub & { readonly username: string; readonly postSlug: string };

/** An article, by its author and slug. */
export type OneArticle = Hub & { readonly namespace: string; readonly slug: string };

/** A canonical article, by its slug alone. */
export type OneCanonicalArticle = Hub & { readonly slug: string };

type Commented = { readonly commentId: string };

const inPosts = ({ username, postSlug }: OnePost) => ({ username, postSlug });
const inBlogs = ({ namespace, slug }: OneArticle) => ({ namespace, slug });

/**
 * A post with its comments. Throws a `HubApiError`: 401, 404.
 *
 * ```ts
 * const { title, comments } = await getPost({ hubUrl, accessToken, username: 'ada', postSlug: 'hello' });
 * ```
 */
export function getPost(params: OnePost): Promise<SuccessAnswer<typeof routes.getPost>> {
  return call<typeof routes.getPost>(params, {
    method: 'GET',
    path: '/api/posts/{username}/{postSlug}',
    params: inPosts(params),
  });
}

/** Deletes a post with its comments. Throws a `HubApiError`: 401, 403, 404. */
export function deletePost(params: OnePost): Promise<SuccessAnswer<typeof routes.deletePost>> {
  return call<typeof routes.deletePost>(params, {
    method: 'DELETE',
    path: '/api/posts/{username}/{postSlug}',
    params: inPosts(params),
  });
}

/** Adds a comment, in Markdown. Throws a `HubApiError`: 400, 401, 403, 404. */
export function commentPost(
  params: OnePost & RouteBody<typeof routes.commentPost>,
): Promise<SuccessAnswer<typeof routes.commentPost>> {
  return call<typeof routes.commentPost>(params, {
    method: 'POST',
    path: '/api/posts/{username}/{postSlug}/comment',
    params: inPosts(params),
    body: { comment: params.comment },
  });
}

/** Answers a comment, in Markdown. Throws a `HubApiError`: 400, 401, 403, 404. */
export function replyToPostComment(
  params: OnePost & Commented & RouteBody<typeof routes.replyToPostComment>,
): Promise<SuccessAnswer<typeof routes.replyToPostComment>> {
  return call<typeof routes.replyToPostComment>(params, {
    method: 'POST',
    path: '/api/posts/{username}/{postSlug}/comment/{commentId}/reply',
    params: { ...inPosts(params), commentId: params.commentId },
    body: { comment: params.comment },
  });
}

/**
 * Hides a comment for good: one's own, one on what one wrote, as a site administrator any. Throws a `HubApiError`: 401,
 * 403, 404, 409 where it is hidden.
 */
export function hidePostComment(params: OnePost & Commented): Promise<SuccessAnswer<typeof routes.hidePostComment>> {
  return call<typeof routes.hidePostComment>(params, {
    method: 'POST',
    path: '/api/posts/{username}/{postSlug}/comment/{commentId}/hide',
    params: { ...inPosts(params), commentId: params.commentId },
  });
}

/** An article with its comments. Throws a `HubApiError`: 401, 404. */
export function getArticle(params: OneArticle): Promise<SuccessAnswer<typeof routes.getArticle>> {
  return call<typeof routes.getArticle>(params, {
    method: 'GET',
    path: '/api/blog/{namespace}/{slug}',
    params: inBlogs(params),
  });
}

/** Adds a comment, in Markdown. Throws a `HubApiError`: 400, 401, 403, 404. */
export function commentArticle(
  params: OneArticle & RouteBody<typeof routes.commentArticle>,
): Promise<SuccessAnswer<typeof routes.commentArticle>> {
  return call<typeof routes.commentArticle>(params, {
    method: 'POST',
    path: '/api/blog/{namespace}/{slug}/comment',
    params: inBlogs(params),
    body: { comment: params.comment },
  });
}

/** Answers a comment, in Markdown. Throws a `HubApiError`: 400, 401, 403, 404. */
export function replyToArticleComment(
  params: OneArticle & Commented & RouteBody<typeof routes.replyToArticleComment>,
): Promise<SuccessAnswer<typeof routes.replyToArticleComment>> {
  return call<typeof routes.replyToArticleComment>(params, {
    method: 'POST',
    path: '/api/blog/{namespace}/{slug}/comment/{commentId}/reply',
    params: { ...inBlogs(params), commentId: params.commentId },
    body: { comment: params.comment },
  });
}

/** As `hidePostComment`. */
export function hideArticleComment(
  params: OneArticle & Commented,
): Promise<SuccessAnswer<typeof routes.hideArticleComment>> {
  return call<typeof routes.hideArticleComment>(params, {
    method: 'POST',
    path: '/api/blog/{namespace}/{slug}/comment/{commentId}/hide',
    params: { ...inBlogs(params), commentId: params.commentId },
  });
}

/** A canonical article with its comments. Throws a `HubApiError`: 401, 404. */
export function getCanonicalArticle(
  params: OneCanonicalArticle,
): Promise<SuccessAnswer<typeof routes.getCanonicalArticle>> {
  return call<typeof routes.getCanonicalArticle>(params, {
    method: 'GET',
    path: '/api/blog/{slug}',
    params: { slug: params.slug },
  });
}

/** Adds a comment, in Markdown. Throws a `HubApiError`: 400, 401, 403, 404. */
export function commentCanonicalArticle(
  params: OneCanonicalArticle & RouteBody<typeof routes.commentCanonicalArticle>,
): Promise<SuccessAnswer<typeof routes.commentCanonicalArticle>> {
  return call<typeof routes.commentCanonicalArticle>(params, {
    method: 'POST',
    path: '/api/blog/{slug}/comment',
    params: { slug: params.slug },
    body: { comment: params.comment },
  });
}

/** Answers a comment, in Markdown. Throws a `HubApiError`: 400, 401, 403, 404. */
export function replyToCanonicalArticleComment(
  params: OneCanonicalArticle & Commented & RouteBody<typeof routes.replyToCanonicalArticleComment>,
): Promise<SuccessAnswer<typeof routes.replyToCanonicalArticleComment>> {
  return call<typeof routes.replyToCanonicalArticleComment>(params, {
    method: 'POST',
    path: '/api/blog/{slug}/comment/{commentId}/reply',
    params: { slug: params.slug, commentId: params.commentId },
    body: { comment: params.comment },
  });
}

/** As `hidePostComment`. */
export function hideCanonicalArticleComment(
  params: OneCanonicalArticle & Commented,
): Promise<SuccessAnswer<typeof routes.hideCanonicalArticleComment>> {
  return call<typeof routes.hideCanonicalArticleComment>(params, {
    method: 'POST',
    path: '/api/blog/{slug}/comment/{commentId}/hide',
    params: { slug: params.slug, commentId: params.commentId },
  });
}
