import * as contract from '@moonbase/contract/papers/posts';
import type { Routes } from '../platform/http/route.ts';
import type { Posts } from './service.ts';

const inPosts = (params: { username: string; postSlug: string }) =>
  ({ kind: 'post', author: params.username, slug: params.postSlug }) as const;
const inBlogs = (params: { namespace: string; slug: string }) =>
  ({ kind: 'article', author: params.namespace, slug: params.slug }) as const;
const canonical = (params: { slug: string }) => ({ kind: 'article', slug: params.slug }) as const;

export function postRoutes(routes: Routes, posts: Posts): void {
  routes.add(contract.getPost, ({ caller, params }) => posts.getPost(caller, inPosts(params)));
  routes.add(contract.deletePost, async ({ caller, params }) => {
    await posts.delete(caller, inPosts(params));
    return { success: true as const };
  });
  routes.add(contract.commentPost, ({ caller, params, body }) => posts.comment(caller, inPosts(params), body));
  routes.add(contract.replyToPostComment, ({ caller, params, body }) =>
    posts.comment(caller, inPosts(params), { ...body, replyTo: params.commentId }),
  );
  routes.add(contract.hidePostComment, ({ caller, params }) =>
    posts.hideComment(caller, inPosts(params), params.commentId),
  );
  routes.add(contract.getArticle, ({ caller, params }) => posts.getArticle(caller, inBlogs(params)));
  routes.add(contract.commentArticle, ({ caller, params, body }) => posts.comment(caller, inBlogs(params), body));
  routes.add(contract.replyToArticleComment, ({ caller, params, body }) =>
    posts.comment(caller, inBlogs(params), { ...body, replyTo: params.commentId }),
  );
  routes.add(contract.hideArticleComment, ({ caller, params }) =>
    posts.hideComment(caller, inBlogs(params), params.commentId),
  );
  routes.add(contract.getCanonicalArticle, ({ caller, params }) => posts.getArticle(caller, canonical(params)));
  routes.add(contract.commentCanonicalArticle, ({ caller, params, body }) =>
    posts.comment(caller, canonical(params), body),
  );
  routes.add(contract.replyToCanonicalArticleComment, ({ caller, params, body }) =>
    posts.comment(caller, canonical(params), { ...body, replyTo: params.commentId }),
  );
  routes.add(contract.hideCanonicalArticleComment, ({ caller, params }) =>
    posts.hideComment(caller, canonical(params), params.commentId),
  );
}
