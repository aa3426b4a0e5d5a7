// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as discussions from '@moonbase/contract/discussions/discussions';
import type * as reading from '@moonbase/contract/discussions/reading';
import type { RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { repoParams } from '../repo-name.ts';
import { call, type Hub } from '../request.ts';

export type CommentEvent = SuccessAnswer<typeof discussions.commentDiscussion>['newMessage'];

export type StatusEvent = SuccessAnswer<typeof discussions.changeDiscussionStatus>['newStatus'];

export type TitleEvent = SuccessAnswer<typeof discussions.renameDiscussion>['newTitle'];

/**
 * Open a discussion or a pull request.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function createDiscussion(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly title: string;
    readonly description: string;
    readonly pullRequest?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof discussions.createDiscussion>> {
  return call<typeof discussions.createDiscussion>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions',
    params: { ...repoParams(params) },
    body: { title: params.title, description: params.description, pullRequest: params.pullRequest },
  });
}

/**
 * Comment on a discussion.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The thread is full: its comments and changes have 16 MiB together.
 */
export function commentDiscussion(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
    readonly comment: string;
  },
): Promise<SuccessAnswer<typeof discussions.commentDiscussion>> {
  return call<typeof discussions.commentDiscussion>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/comment',
    params: { ...repoParams(params), num: params.num },
    body: { comment: params.comment },
  });
}

/**
 * Edit a comment.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The comment is hidden, or would grow in a thread that is full.
 */
export function editComment(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
    readonly commentId: string;
    readonly content: string;
  },
): Promise<SuccessAnswer<typeof discussions.editComment>> {
  return call<typeof discussions.editComment>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/comment/{commentId}/edit',
    params: { ...repoParams(params), num: params.num, commentId: params.commentId },
    body: { content: params.content },
  });
}

/**
 * Hide a comment permanently.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function hideComment(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
    readonly commentId: string;
  },
): Promise<SuccessAnswer<typeof discussions.hideComment>> {
  return call<typeof discussions.hideComment>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/comment/{commentId}/hide',
    params: { ...repoParams(params), num: params.num, commentId: params.commentId },
  });
}

/**
 * Close or reopen a discussion.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function changeDiscussionStatus(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
    readonly status: RouteBody<typeof discussions.changeDiscussionStatus>['status'];
    readonly comment?: string | undefined;
  },
): Promise<SuccessAnswer<typeof discussions.changeDiscussionStatus>> {
  return call<typeof discussions.changeDiscussionStatus>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/status',
    params: { ...repoParams(params), num: params.num },
    body: { status: params.status, comment: params.comment },
  });
}

/**
 * Rename a discussion.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function renameDiscussion(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
    readonly title: string;
  },
): Promise<SuccessAnswer<typeof discussions.renameDiscussion>> {
  return call<typeof discussions.renameDiscussion>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/title',
    params: { ...repoParams(params), num: params.num },
    body: { title: params.title },
  });
}

/**
 * Pin or unpin a discussion.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function pinDiscussion(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
    readonly pinned: boolean;
  },
): Promise<SuccessAnswer<typeof discussions.pinDiscussion>> {
  return call<typeof discussions.pinDiscussion>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/pin',
    params: { ...repoParams(params), num: params.num },
    body: { pinned: params.pinned },
  });
}

/**
 * Merge a pull request. A commit with two parents on the branch that the pull request is for. 409 with
 * `filesWithConflicts` where both sides changed the same lines, or a file that is not text.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 413.
 * - 413: The owner of the repository has no room for large files that the pull request brings.
 */
export function mergePullRequest(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
    readonly comment?: string | undefined;
  },
): Promise<SuccessAnswer<typeof discussions.mergePullRequest>> {
  return call<typeof discussions.mergePullRequest>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/merge',
    params: { ...repoParams(params), num: params.num },
    body: { comment: params.comment },
  });
}

/**
 * Delete a discussion.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteDiscussion(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
  },
): Promise<SuccessAnswer<typeof discussions.deleteDiscussion>> {
  return call<typeof discussions.deleteDiscussion>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}',
    params: { ...repoParams(params), num: params.num },
  });
}

/**
 * Delete the ref of a closed or merged pull request. The pull request remains but cannot be reopened.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deletePullRequestRef(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
  },
): Promise<SuccessAnswer<typeof discussions.deletePullRequestRef>> {
  return call<typeof discussions.deletePullRequestRef>(params, {
    method: 'DELETE',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/ref',
    params: { ...repoParams(params), num: params.num },
  });
}

/**
 * List the discussions and pull requests of a repository. Pinned ones first, 50 per page. There are more pages
 * while `start` plus the length of the page is less than `count`.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listDiscussions(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** Page, from 0. */
    readonly page?: number | undefined;
    readonly kind?: RouteQuery<typeof reading.listDiscussions>['type'];
    /** Drafts count as open, merged ones as closed. */
    readonly status?: RouteQuery<typeof reading.listDiscussions>['status'];
    readonly author?: string | undefined;
    /** Text to search for in the title, ignoring case. */
    readonly search?: string | undefined;
    /** `trending`: by last activity. `reactions`: there are none yet, so newest first. */
    readonly sort?: RouteQuery<typeof reading.listDiscussions>['sort'];
  },
): Promise<SuccessAnswer<typeof reading.listDiscussions>> {
  return call<typeof reading.listDiscussions>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/discussions',
    params: { ...repoParams(params) },
    query: {
      p: params.page,
      type: params.kind,
      status: params.status,
      author: params.author,
      search: params.search,
      sort: params.sort,
    },
  });
}

/**
 * Get a discussion or pull request with its events.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getDiscussion(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
    /** With any value, a pull request comes with `diff`. */
    readonly diff?: RouteQuery<typeof reading.getDiscussion>['diff'];
  },
): Promise<SuccessAnswer<typeof reading.getDiscussion>> {
  return call<typeof reading.getDiscussion>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}',
    params: { ...repoParams(params), num: params.num },
    query: { diff: params.diff },
  });
}

/**
 * Estimate the storage that deleting the ref of a pull request would free.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getPullRequestStorage(
  params: Hub & {
    readonly type: 'model' | 'space' | 'dataset' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly num: number;
  },
): Promise<SuccessAnswer<typeof reading.getPullRequestStorage>> {
  return call<typeof reading.getPullRequestStorage>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/storage',
    params: { ...repoParams(params), num: params.num },
  });
}
