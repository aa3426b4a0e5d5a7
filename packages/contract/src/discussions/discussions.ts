import * as z from 'zod';
import { Empty, RepoParams, Success } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { DiscussionStatus } from '../webhooks/payload.ts';
import { CommentText, eventOf, NewComment, NewMessage, THREAD_FULL, UpdatedComment } from './comments.ts';

export const StatusEvent = eventOf('status-change', z.object({ status: DiscussionStatus })).meta({ id: 'StatusEvent' });
export const CommitEvent = eventOf('commit', z.object({ subject: z.string(), oid: z.string() })).meta({
  id: 'CommitEvent',
});
export const TitleEvent = eventOf('title-change', z.object({ from: z.string(), to: z.string() })).meta({
  id: 'TitleEvent',
});
export const PinningEvent = eventOf('pinning-change', z.object({ pinned: z.boolean() })).meta({ id: 'PinningEvent' });
export const RefDeletedEvent = eventOf('ref-deleted', Empty).meta({ id: 'RefDeletedEvent' });

const Title = z.string().min(3).max(200);

/** Buckets have no discussions. */
export const DiscussedRepo = RepoParams.extend({ repoType: z.enum(['models', 'spaces', 'datasets', 'kernels']) });
export const DiscussionParams = DiscussedRepo.extend({
  num: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a discussion')
    .transform(Number),
});
const CommentParams = DiscussionParams.extend({ commentId: z.string() });
const base = '/api/{repoType}/{namespace}/{repo}/discussions' as const;
const one = `${base}/{num}` as const;
const tags = ['discussions'];

export const createDiscussion = defineRoute({
  id: 'createDiscussion',
  method: 'POST',
  path: base,
  summary: 'Open a discussion or a pull request',
  tags,
  authority: 'discussion.write',
  params: DiscussedRepo,
  body: z.object({ title: Title, description: z.string().max(65536), pullRequest: z.boolean().default(false) }),
  answers: {
    200: z.object({
      url: z.url(),
      num: z.number(),
      pullRequest: z.boolean(),
      references: z.object({ base: z.string(), mergeCommitId: z.string().optional() }).optional(),
    }),
  },
});

export const commentDiscussion = defineRoute({
  id: 'commentDiscussion',
  method: 'POST',
  path: `${one}/comment`,
  summary: 'Comment on a discussion',
  tags,
  authority: 'discussion.write',
  params: DiscussionParams,
  body: NewComment,
  answers: { 201: NewMessage },
  otherAnswers: THREAD_FULL,
});

export const editComment = defineRoute({
  id: 'editComment',
  method: 'POST',
  path: `${one}/comment/{commentId}/edit`,
  summary: 'Edit a comment',
  tags,
  authority: 'discussion.write',
  params: CommentParams,
  body: z.object({ content: CommentText }),
  answers: { 200: UpdatedComment },
  otherAnswers: { 409: 'The comment is hidden, or would grow in a thread that is full.' },
});

export const hideComment = defineRoute({
  id: 'hideComment',
  method: 'POST',
  path: `${one}/comment/{commentId}/hide`,
  summary: 'Hide a comment permanently',
  tags,
  authority: 'discussion.write',
  params: CommentParams,
  answers: { 200: UpdatedComment },
});

export const changeDiscussionStatus = defineRoute({
  id: 'changeDiscussionStatus',
  method: 'POST',
  path: `${one}/status`,
  summary: 'Close or reopen a discussion',
  tags,
  authority: 'discussion.write',
  params: DiscussionParams,
  body: z.object({ status: z.enum(['open', 'closed']), comment: z.string().max(65536).optional() }),
  answers: { 200: z.object({ newStatus: StatusEvent }) },
});

export const renameDiscussion = defineRoute({
  id: 'renameDiscussion',
  method: 'POST',
  path: `${one}/title`,
  summary: 'Rename a discussion',
  tags,
  authority: 'discussion.write',
  params: DiscussionParams,
  body: z.object({ title: Title }),
  answers: { 200: z.object({ newTitle: TitleEvent }) },
});

export const pinDiscussion = defineRoute({
  id: 'pinDiscussion',
  method: 'POST',
  path: `${one}/pin`,
  summary: 'Pin or unpin a discussion',
  tags,
  authority: 'discussion.write',
  params: DiscussionParams,
  body: z.object({ pinned: z.boolean() }),
  answers: { 200: Success },
});

export const mergePullRequest = defineRoute({
  id: 'mergePullRequest',
  method: 'POST',
  path: `${one}/merge`,
  summary: 'Merge a pull request',
  description:
    'A commit with two parents on the branch that the pull request is for. 409 with `filesWithConflicts` where both sides ' +
    'changed the same lines, or a file that is not text.',
  tags,
  authority: 'discussion.write',
  params: DiscussionParams,
  body: z.object({ comment: z.string().max(65536).optional() }),
  answers: { 200: Success },
  otherAnswers: { 413: 'The owner of the repository has no room for large files that the pull request brings.' },
});

export const deleteDiscussion = defineRoute({
  id: 'deleteDiscussion',
  method: 'DELETE',
  path: one,
  summary: 'Delete a discussion',
  tags,
  authority: 'discussion.write',
  params: DiscussionParams,
  answers: { 200: Success },
});

export const deletePullRequestRef = defineRoute({
  id: 'deletePullRequestRef',
  method: 'DELETE',
  path: `${one}/ref`,
  summary: 'Delete the ref of a closed or merged pull request',
  description: 'The pull request remains but cannot be reopened.',
  tags,
  authority: 'discussion.write',
  params: DiscussionParams,
  answers: { 200: Success },
});

export const discussionRoutes = [
  createDiscussion,
  commentDiscussion,
  editComment,
  hideComment,
  changeDiscussionStatus,
  renameDiscussion,
  pinDiscussion,
  mergePullRequest,
  deleteDiscussion,
  deletePullRequestRef,
] as const;
