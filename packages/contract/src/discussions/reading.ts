import { z } from 'zod';
import { ObjectId, queryInteger, RepoId, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { DiscussionStatus } from '../webhooks/payload.ts';
import { Author, CommentEvent } from './comments.ts';
import {
  DiscussedRepo,
  DiscussionParams,
  PinningEvent,
  RefDeletedEvent,
  StatusEvent,
  TitleEvent,
} from './discussions.ts';

const tags = ['discussions'];
const authority = 'repo.content.read';

/** What a discussion shows in the list and by itself. */
const Shown = z.object({
  num: z.number(),
  author: Author.optional(),
  repo: RepoId,
  title: z.string(),
  createdAt: Timestamp,
  status: DiscussionStatus,
  pinned: z.boolean(),
});

export const listDiscussions = defineRoute({
  id: 'listDiscussions',
  client: { query: { type: 'kind' } },
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/discussions',
  summary: 'Discussions and pull requests of a repository',
  description:
    'Pinned ones first. 50 to a page; there are more as long as `start` and what is on the page are less than `count`.',
  tags,
  authority,
  params: DiscussedRepo,
  query: z.object({
    p: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }).meta({ description: 'The page, from 0.' }),
    type: z.enum(['all', 'discussion', 'pull_request']).default('all'),
    status: z
      .enum(['all', 'open', 'closed'])
      .default('all')
      .meta({ description: 'Drafts count as open, merged ones as closed.' }),
    author: z
      .string()
      .min(2)
      .max(42)
      .regex(/^[a-zA-Z0-9](-?[a-zA-Z0-9])*$/, 'must be the name of a user')
      .refine((name) => !/^(\d+|[0-9a-fA-F]{24})$/.test(name), 'must be the name of a user')
      .optional(),
    search: z.string().optional().meta({ description: 'Part of the title, in any letter case.' }),
    sort: z.enum(['recently-created', 'trending', 'reactions']).default('recently-created').meta({
      description: '`trending`: where something happened last. `reactions`: there are none yet, so the newest first.',
    }),
  }),
  answers: {
    200: z.object({
      discussions: z.array(
        Shown.extend({
          isPullRequest: z.boolean(),
          numComments: z.number().meta({ description: 'With the first one.' }),
          numReactionUsers: z.literal(0),
          topReactions: z.array(z.never()),
        }),
      ),
      count: z.number().meta({ description: 'Of all pages.' }),
      start: z.number().meta({ description: 'How many are on the pages before.' }),
    }),
  },
});

const Details = Shown.extend({
  _id: ObjectId,
  events: z.array(z.discriminatedUnion('type', [CommentEvent, StatusEvent, TitleEvent, PinningEvent, RefDeletedEvent])),
  locked: z.literal(false),
  collection: z.literal('discussions'),
});

export const getDiscussion = defineRoute({
  id: 'getDiscussion',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}',
  summary: 'A discussion or pull request, with all that happened in it',
  tags,
  authority,
  params: DiscussionParams,
  query: z.object({
    diff: z.unknown().optional().meta({ description: 'Taken with any value; there is no content to compare yet.' }),
  }),
  answers: {
    200: z.discriminatedUnion('isPullRequest', [
      Details.extend({ isPullRequest: z.literal(false), isReport: z.literal(false) }).meta({ id: 'Discussion' }),
      Details.extend({
        isPullRequest: z.literal(true),
        filesWithConflicts: z.array(z.string()),
        changes: z.object({
          base: z.string(),
          mergeCommitId: z.string().optional(),
          headCommitId: z.string().optional().meta({ description: 'Where the ref was when it was deleted.' }),
          refDeleted: z.boolean().optional(),
        }),
      }).meta({ id: 'PullRequest' }),
    ]),
  },
});

export const getPullRequestStorage = defineRoute({
  id: 'getPullRequestStorage',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/storage',
  summary: 'What deleting the ref of a pull request would free',
  tags,
  authority,
  params: DiscussionParams,
  answers: {
    200: z.object({
      estimatedStorage: z.number().meta({ description: 'Bytes: 0 until there are files.' }),
      refDeleted: z.boolean(),
    }),
  },
});

export const discussionReadRoutes = [listDiscussions, getDiscussion, getPullRequestStorage] as const;
