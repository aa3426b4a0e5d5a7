import * as z from 'zod';
import { CommentEvent, NewComment, NewMessage, THREAD_FULL, UpdatedComment } from '../discussions/comments.ts';
import { ObjectId, queryInteger, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

/**
 * One name on a paper. `user` is who this author is on the hub; `status` how that is known: `admin_assigned` by the
 * hub's document, `claim_verified` by a claim, `claim_requested` (without a `user`) while a claim waits.
 */
const PaperAuthor = z.object({
  _id: ObjectId.meta({ description: 'Id of the author entry, for claims.' }),
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
      user: z.string().meta({ description: 'Same as `name`.' }),
    })
    .optional(),
  hidden: z.literal(false),
});

/** A paper page (W§7). */
export const Paper = z
  .object({
    id: z.string().meta({ description: 'The arXiv identifier.' }),
    authors: z.array(PaperAuthor),
    publishedAt: Timestamp.meta({ description: 'When the paper was added to this hub.' }),
    title: z.string(),
    summary: z.string(),
    upvotes: z.number().meta({ description: 'Not counted yet: 0.' }),
    discussionId: ObjectId.meta({ description: 'The object id of the paper, which is also that of its thread.' }),
    linkedModels: z.array(z.never()).meta({ description: 'Nothing is linked yet.' }),
    numTotalModels: z.number(),
    linkedDatasets: z.array(z.never()).meta({ description: 'Nothing is linked yet.' }),
    numTotalDatasets: z.number(),
    linkedSpaces: z.array(z.never()).meta({ description: 'Nothing is linked yet.' }),
    numTotalSpaces: z.number(),
    comments: z.array(CommentEvent).optional().meta({ description: 'With `field=comments`; oldest first.' }),
  })
  .meta({ id: 'Paper' });

/** A paper in a list. */
export const ListedPaper = z
  .object({
    paper: Paper.pick({
      id: true,
      authors: true,
      publishedAt: true,
      title: true,
      summary: true,
      upvotes: true,
      discussionId: true,
    }),
    publishedAt: Timestamp.meta({ description: 'When the paper was added to this hub.' }),
    title: z.string(),
    summary: z.string(),
    numComments: z.int(),
  })
  .meta({ id: 'ListedPaper' });

const PaperParams = z.object({
  paperId: z
    .string()
    .meta({ description: 'The arXiv identifier, also in the form `arXiv:2401.01234v2`, or the object id.' }),
});
const PaperField = z.enum(['submissionDeadline', 'comments']);
const tags = ['papers'];

export const getPaper = defineRoute({
  id: 'getPaper',
  method: 'GET',
  path: '/api/papers/{paperId}',
  summary: 'Get a paper',
  tags,
  authority: 'public',
  params: PaperParams,
  query: z.object({
    field: z
      .union([PaperField, z.array(PaperField)], { error: 'must be submissionDeadline or comments' })
      .transform((names) => [names].flat())
      .optional()
      .meta({ description: 'Additional fields to return; may be repeated. This hub has no deadlines.' }),
  }),
  answers: { 200: Paper },
});

export const getPaperText = defineRoute({
  id: 'getPaperText',
  method: 'GET',
  path: '/papers/{paperId}.md',
  summary: 'Get a paper as Markdown',
  description:
    'Title, authors and summary, as `hf papers read` prints them. This hub does not have the full text of papers.',
  tags,
  authority: 'public',
  params: PaperParams,
  answers: {},
  otherAnswers: { 200: 'The text, as `text/markdown`.' },
});

export const searchPapers = defineRoute({
  id: 'searchPapers',
  method: 'GET',
  path: '/api/papers/search',
  summary: 'Search papers',
  description: 'Returns papers with every word in their title or arXiv identifier, most recently added first.',
  tags,
  authority: 'signed-in',
  anonymous: true,
  query: z.object({
    q: z.string().max(250).default(''),
    limit: queryInteger({ min: 1, max: 120, default: 20 }),
  }),
  answers: { 200: z.array(ListedPaper) },
});

export const listDailyPapers = defineRoute({
  id: 'listDailyPapers',
  method: 'GET',
  path: '/api/daily_papers',
  summary: 'List papers, most recently added first',
  description: '`date`, `week` and `month` are in UTC and can be combined.',
  tags,
  authority: 'signed-in',
  anonymous: true,
  query: z.object({
    p: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }).meta({ description: 'Page, from 0.' }),
    limit: queryInteger({ min: 1, max: 100, default: 50 }),
    date: z.iso.date().optional(),
    week: z
      .string()
      .regex(/^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/, 'must be a week, as in 2025-W09')
      .optional(),
    month: z
      .string()
      .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, as in 2025-02')
      .optional(),
    submitter: z
      .string()
      .optional()
      .meta({ description: 'Matches nothing: papers on this hub come from the hub document.' }),
    sort: z
      .enum(['publishedAt', 'trending'])
      .default('publishedAt')
      .meta({ description: 'There are no votes yet: both mean newest first.' }),
  }),
  answers: { 200: z.array(ListedPaper) },
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
  otherAnswers: THREAD_FULL,
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
  otherAnswers: THREAD_FULL,
});

export const hidePaperComment = defineRoute({
  id: 'hidePaperComment',
  method: 'POST',
  path: '/api/papers/{paperId}/comment/{commentId}/hide',
  summary: 'Hide a comment on a paper permanently',
  description: 'For its author, the known authors of the paper, and site administrators.',
  tags,
  authority: 'discussion.write',
  params: PaperParams.extend({ commentId: z.string() }),
  answers: { 200: UpdatedComment },
});

export const paperRoutes = [
  getPaper,
  getPaperText,
  searchPapers,
  listDailyPapers,
  commentPaper,
  replyToPaperComment,
  hidePaperComment,
] as const;
