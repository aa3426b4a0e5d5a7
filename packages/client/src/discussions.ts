import type * as routes from '@moonbase/contract/discussions/discussions';
import type * as reading from '@moonbase/contract/discussions/reading';
import type { RepoType } from '@moonbase/contract/primitives';
import type { RouteBody, RouteQuery, SuccessAnswer } from './operation.ts';
import { repoParams } from './repo-name.ts';
import { call, type Hub } from './request.ts';

/** A repository with discussions: any but a bucket, its name as in `namespace/name`. */
export type DiscussedRepo = Hub & { readonly type: Exclude<RepoType, 'bucket'>; readonly repo: string };

/** One discussion or pull request of a repository, by its number. */
export type OneDiscussion = DiscussedRepo & { readonly num: number };

type OneComment = OneDiscussion & { readonly commentId: string };

/**
 * Opens a discussion, or a pull request with `pullRequest`. Throws a `HubApiError`: 400, 401, 403, 404.
 *
 * ```ts
 * const { num } = await createDiscussion({
 *   hubUrl, accessToken, type: 'model', repo: 'ada/model', title: 'A typo', description: 'In the card.',
 * });
 * ```
 */
export function createDiscussion(
  params: DiscussedRepo & RouteBody<typeof routes.createDiscussion>,
): Promise<SuccessAnswer<typeof routes.createDiscussion>> {
  const { title, description, pullRequest } = params;
  return call<typeof routes.createDiscussion>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions',
    params: repoParams(params),
    body: { title, description, pullRequest },
  });
}

/** Adds a comment, in Markdown. Throws a `HubApiError`: 400, 401, 403, 404. */
export function commentDiscussion(
  params: OneDiscussion & RouteBody<typeof routes.commentDiscussion>,
): Promise<SuccessAnswer<typeof routes.commentDiscussion>> {
  return call<typeof routes.commentDiscussion>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/comment',
    params: discussionParams(params),
    body: { comment: params.comment },
  });
}

/** Replaces the text of a comment. Throws a `HubApiError`: 400, 401, 403, 404. */
export function editComment(
  params: OneComment & RouteBody<typeof routes.editComment>,
): Promise<SuccessAnswer<typeof routes.editComment>> {
  return call<typeof routes.editComment>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/comment/{commentId}/edit',
    params: { ...discussionParams(params), commentId: params.commentId },
    body: { content: params.content },
  });
}

/** Hides a comment for good. Throws a `HubApiError`: 401, 403, 404. */
export function hideComment(params: OneComment): Promise<SuccessAnswer<typeof routes.hideComment>> {
  return call<typeof routes.hideComment>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/comment/{commentId}/hide',
    params: { ...discussionParams(params), commentId: params.commentId },
  });
}

/** Opens or closes a discussion, with a comment if one is given. Throws a `HubApiError`: 400, 401, 403, 404. */
export function changeDiscussionStatus(
  params: OneDiscussion & RouteBody<typeof routes.changeDiscussionStatus>,
): Promise<SuccessAnswer<typeof routes.changeDiscussionStatus>> {
  const { status, comment } = params;
  return call<typeof routes.changeDiscussionStatus>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/status',
    params: discussionParams(params),
    body: { status, comment },
  });
}

/** Changes the title. Throws a `HubApiError`: 400, 401, 403, 404. */
export function renameDiscussion(
  params: OneDiscussion & RouteBody<typeof routes.renameDiscussion>,
): Promise<SuccessAnswer<typeof routes.renameDiscussion>> {
  return call<typeof routes.renameDiscussion>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/title',
    params: discussionParams(params),
    body: { title: params.title },
  });
}

/** Pins a discussion, or takes the pin off. Throws a `HubApiError`: 401, 403, 404. */
export function pinDiscussion(
  params: OneDiscussion & RouteBody<typeof routes.pinDiscussion>,
): Promise<SuccessAnswer<typeof routes.pinDiscussion>> {
  return call<typeof routes.pinDiscussion>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/pin',
    params: discussionParams(params),
    body: { pinned: params.pinned },
  });
}

/** Merges a pull request, with a comment if one is given. Throws a `HubApiError`: 400, 401, 403, 404. */
export function mergePullRequest(
  params: OneDiscussion & RouteBody<typeof routes.mergePullRequest>,
): Promise<SuccessAnswer<typeof routes.mergePullRequest>> {
  return call<typeof routes.mergePullRequest>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/merge',
    params: discussionParams(params),
    body: { comment: params.comment },
  });
}

/** Deletes a discussion with its comments. Throws a `HubApiError`: 401, 403, 404. */
export function deleteDiscussion(params: OneDiscussion): Promise<SuccessAnswer<typeof routes.deleteDiscussion>> {
  return call<typeof routes.deleteDiscussion>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}',
    params: discussionParams(params),
  });
}

/** Deletes the ref of a closed or merged pull request. Throws a `HubApiError`: 401, 403, 404, 409. */
export function deletePullRequestRef(
  params: OneDiscussion,
): Promise<SuccessAnswer<typeof routes.deletePullRequestRef>> {
  return call<typeof routes.deletePullRequestRef>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/ref',
    params: discussionParams(params),
  });
}

/** Discussions and pull requests, the page `page` (from 0) of them. Throws a `HubApiError`: 400, 401, 403, 404. */
export function listDiscussions(
  params: DiscussedRepo &
    Omit<RouteQuery<typeof reading.listDiscussions>, 'p' | 'type'> & {
      readonly kind?: RouteQuery<typeof reading.listDiscussions>['type'];
      readonly page?: number | undefined;
    },
): Promise<SuccessAnswer<typeof reading.listDiscussions>> {
  const { kind, status, author, search, sort, page } = params;
  return call<typeof reading.listDiscussions>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/discussions',
    params: repoParams(params),
    query: { type: kind, status, author, search, sort, p: page?.toString() },
  });
}

/** A discussion or pull request with all its events. Throws a `HubApiError`: 400, 401, 403, 404. */
export function getDiscussion(params: OneDiscussion): Promise<SuccessAnswer<typeof reading.getDiscussion>> {
  return call<typeof reading.getDiscussion>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}',
    params: discussionParams(params),
    query: {},
  });
}

/** What deleting the ref of a pull request would free, in bytes. Throws a `HubApiError`: 400, 401, 403, 404. */
export function getPullRequestStorage(
  params: OneDiscussion,
): Promise<SuccessAnswer<typeof reading.getPullRequestStorage>> {
  return call<typeof reading.getPullRequestStorage>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/storage',
    params: discussionParams(params),
  });
}

const discussionParams = (params: OneDiscussion) => ({ ...repoParams(params), num: String(params.num) });
