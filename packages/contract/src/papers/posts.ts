import * as z from 'zod';
import { Author, CommentEvent, NewComment, NewMessage, THREAD_FULL, UpdatedComment } from '../discussions/comments.ts';
import { ObjectId, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

/** A post of a user with its comments, oldest first. */
export const Post = z
  .object({
    id: ObjectId,
    slug: z.string(),
    title: z.string(),
    author: Author,
    publishedAt: Timestamp,
    comments: z.array(CommentEvent),
  })
  .meta({ id: 'Post' });

/** An article of a user's blog with its comments, oldest first. */
export const Article = Post.extend({
  canonical: z
    .boolean()
    .meta({ description: 'Whether the slug alone, without the namespace, identifies the article.' }),
}).meta({ id: 'Article' });

const inPosts = { tags: ['posts'], params: z.object({ username: z.string(), postSlug: z.string() }) };
const inBlogs = { tags: ['blog'], params: z.object({ namespace: z.string(), slug: z.string() }) };
const canonical = {
  tags: ['blog'],
  params: z.object({ slug: z.string().meta({ description: 'Slug of a canonical article.' }) }),
};
const commentId = { commentId: z.string() };

const reading = { method: 'GET', authority: 'signed-in', anonymous: true } as const;
const writing = {
  method: 'POST',
  authority: 'discussion.write',
  body: NewComment,
  answers: { 201: NewMessage },
  otherAnswers: THREAD_FULL,
} as const;
const hiding = {
  method: 'POST',
  authority: 'discussion.write',
  description: 'For the author of the comment, the author of the post or article, and site administrators.',
  answers: { 200: UpdatedComment },
} as const;

export const getPost = defineRoute({
  id: 'getPost',
  path: '/api/posts/{username}/{postSlug}',
  summary: 'Get a post with its comments',
  ...reading,
  ...inPosts,
  answers: { 200: Post },
});

export const deletePost = defineRoute({
  id: 'deletePost',
  method: 'DELETE',
  path: '/api/posts/{username}/{postSlug}',
  summary: 'Delete a post with its comments',
  description: 'For its author and for site administrators.',
  authority: 'discussion.write',
  ...inPosts,
  answers: { 200: Success },
});

export const commentPost = defineRoute({
  id: 'commentPost',
  path: '/api/posts/{username}/{postSlug}/comment',
  summary: 'Comment on a post',
  ...writing,
  ...inPosts,
});

export const replyToPostComment = defineRoute({
  id: 'replyToPostComment',
  path: '/api/posts/{username}/{postSlug}/comment/{commentId}/reply',
  summary: 'Reply to a comment on a post',
  ...writing,
  ...inPosts,
  params: inPosts.params.extend(commentId),
});

export const hidePostComment = defineRoute({
  id: 'hidePostComment',
  path: '/api/posts/{username}/{postSlug}/comment/{commentId}/hide',
  summary: 'Hide a comment on a post permanently',
  ...hiding,
  ...inPosts,
  params: inPosts.params.extend(commentId),
});

export const getArticle = defineRoute({
  id: 'getArticle',
  path: '/api/blog/{namespace}/{slug}',
  summary: 'Get an article with its comments',
  ...reading,
  ...inBlogs,
  answers: { 200: Article },
});

export const commentArticle = defineRoute({
  id: 'commentArticle',
  path: '/api/blog/{namespace}/{slug}/comment',
  summary: 'Comment on an article',
  ...writing,
  ...inBlogs,
});

export const replyToArticleComment = defineRoute({
  id: 'replyToArticleComment',
  path: '/api/blog/{namespace}/{slug}/comment/{commentId}/reply',
  summary: 'Reply to a comment on an article',
  ...writing,
  ...inBlogs,
  params: inBlogs.params.extend(commentId),
});

export const hideArticleComment = defineRoute({
  id: 'hideArticleComment',
  path: '/api/blog/{namespace}/{slug}/comment/{commentId}/hide',
  summary: 'Hide a comment on an article permanently',
  ...hiding,
  ...inBlogs,
  params: inBlogs.params.extend(commentId),
});

export const getCanonicalArticle = defineRoute({
  id: 'getCanonicalArticle',
  path: '/api/blog/{slug}',
  summary: 'Get a canonical article with its comments',
  ...reading,
  ...canonical,
  answers: { 200: Article },
});

export const commentCanonicalArticle = defineRoute({
  id: 'commentCanonicalArticle',
  path: '/api/blog/{slug}/comment',
  summary: 'Comment on a canonical article',
  ...writing,
  ...canonical,
});

export const replyToCanonicalArticleComment = defineRoute({
  id: 'replyToCanonicalArticleComment',
  path: '/api/blog/{slug}/comment/{commentId}/reply',
  summary: 'Reply to a comment on a canonical article',
  ...writing,
  ...canonical,
  params: canonical.params.extend(commentId),
});

export const hideCanonicalArticleComment = defineRoute({
  id: 'hideCanonicalArticleComment',
  path: '/api/blog/{slug}/comment/{commentId}/hide',
  summary: 'Hide a comment on a canonical article permanently',
  ...hiding,
  ...canonical,
  params: canonical.params.extend(commentId),
});

export const postRoutes = [
  getPost,
  deletePost,
  commentPost,
  replyToPostComment,
  hidePostComment,
  getArticle,
  commentArticle,
  replyToArticleComment,
  hideArticleComment,
  getCanonicalArticle,
  commentCanonicalArticle,
  replyToCanonicalArticleComment,
  hideCanonicalArticleComment,
] as const;
