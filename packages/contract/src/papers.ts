import { z } from 'zod';
import { CommentEvent, NewComment, NewMessage, UpdatedComment } from './comments.ts';
import { ObjectId, Timestamp } from './primitives.ts';
import { defineRoute } from './route.ts';

/**
 * One name on a paper. `user` is who this author is on the hub; `status` how that is known: `admin_assigned` by the
 * hub's document, `claim_verified` by a claim, `claim_requested` (without a `user`) while a claim waits.
 */
const PaperAuthor = z.object({
  _id: ObjectId.meta({ description: 'The author entry: what is claimed.' }),
  name: z.string(),
  status: z.enum(['admin_assigned', 'claim_requested', 'claim_verified']).optional(),
  statusLastChangedAt: Timestamp.optional(),
  user: z
    .object({
      _id: ObjectId,
      avatarUrl: z.string(),
      fullname: z.string(),
      isPro: z.boolean(),
      name: z.string(),
      type: z.literal('user'),
      user: z.string().meta({ description: 'The same as `name`.' }),
    })
    .optional(),
  hidden: z.literal(false),
});

/** A paper page (W§7). */
export const Paper = z
  .object({
    id: z.string().meta({ description: 'The arXiv identifier.' }),
    authors: z.array(PaperAuthor),
    publishedAt: Timestamp.meta({ description: 'When the paper came to this hub.' }),
    title: z.string(),
    summary: z.string(),
    upvotes: z.number().meta({ description: 'Nothing is counted yet: 0.' }),
    discussionId: ObjectId.meta({ description: 'The object id of the paper, which is also that of its thread.' }),
    linkedModels: z.array(z.never()).meta({ description: 'Nothing is linked yet.' }),
    numTotalModels: z.number(),
    linkedDatasets: z.array(z.never()).meta({ description: 'Nothing is linked yet.' }),
    numTotalDatasets: z.number(),
    linkedSpaces: z.array(z.never()).meta({ description: 'Nothing is linked yet.' }),
    numTotalSpaces: z.number(),
    comments: z.array(CommentEvent).optional().meta({ description: 'With `field=comments`, the oldest first.' }),
  })
  .meta({ id: 'Paper' });

const PaperParams = z.object({
  paperId: z.string().meta({ description: 'The arXiv identifier, or the object id.' }),
});
const PaperField = z.enum(['submissionDeadline', 'comments']);
const tags = ['papers'];

export const getPaper = defineRoute({
  id: 'getPaper',
  method: 'GET',
  path: '/api/papers/{paperId}',
  summary: 'A paper',
  tags,
  authority: 'public',
  params: PaperParams,
  query: z.object({
    field: z
      .union([PaperField, z.array(PaperField)], { error: 'must be submissionDeadline or comments' })
      .transform((names) => [names].flat())
      .optional()
      .meta({ description: 'Repeated: what to answer in addition. There are no deadlines here.' }),
  }),
  answers: { 200: Paper },
});

export const commentPaper = defineRoute({
  id: 'commentPaper',
  method: 'POST',
  path: '/api/papers/{paperId}/comment',
  summary: 'Comment on a paper',
  tags,
  authority: 'discussion.write',
  params: PaperParams,
  body: NewComment,
  answers: { 201: NewMessage },
});

export const replyToPaperComment = defineRoute({
  id: 'replyToPaperComment',
  method: 'POST',
  path: '/api/papers/{paperId}/comment/{commentId}/reply',
  summary: 'Reply to a comment on a paper',
  tags,
  authority: 'discussion.write',
  params: PaperParams.extend({ commentId: z.string() }),
  body: NewComment,
  answers: { 201: NewMessage },
});

export const hidePaperComment = defineRoute({
  id: 'hidePaperComment',
  method: 'POST',
  path: '/api/papers/{paperId}/comment/{commentId}/hide',
  summary: 'Hide a comment on a paper for good',
  description: 'For who wrote it, the known authors of the paper, and site administrators.',
  tags,
  authority: 'discussion.write',
  params: PaperParams.extend({ commentId: z.string() }),
  answers: { 200: UpdatedComment },
});

export const paperRoutes = [getPaper, commentPaper, replyToPaperComment, hidePaperComment] as const;
