import * as z from 'zod';
import { ObjectId, queryInteger, RepoId, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { DiscussionStatus } from '../webhooks/payload.ts';
import { Author, CommentEvent } from './comments.ts';
import {
  CommitEvent,
  DiscussedRepo,
  DiscussionParams,
  PinningEvent,
  RefDeletedEvent,
  StatusEvent,
  TitleEvent,
} from './discussions.ts';

const tags = ['discussions'];
const authority = 'repo.content.read';

/** The fields of a discussion, in lists and alone. */
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
  summary: 'List the discussions and pull requests of a repository',
  description:
    'Pinned ones first, 50 per page. There are more pages while `start` plus the length of the page is less than `count`.',
  tags,
  authority,
  anonymous: true,
  params: DiscussedRepo,
  query: z.object({
    p: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }).meta({ description: 'Page, from 0.' }),
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
    search: z.string().optional().meta({ description: 'Text to search for in the title, ignoring case.' }),
    sort: z.enum(['recently-created', 'trending', 'reactions']).default('recently-created').meta({
      description: '`trending`: by last activity. `reactions`: there are none yet, so newest first.',
    }),
  }),
  answers: {
    200: z.object({
      discussions: z.array(
        Shown.extend({
          isPullRequest: z.boolean(),
          numComments: z.number().meta({ description: 'Includes the first comment.' }),
          numReactionUsers: z.literal(0),
          topReactions: z.array(z.never()),
        }),
      ),
      count: z.number().meta({ description: 'Total over all pages.' }),
      start: z.number().meta({ description: 'Number of entries on earlier pages.' }),
    }),
  },
});

const Details = Shown.extend({
  _id: ObjectId,
  events: z.array(
    z.discriminatedUnion('type', [CommentEvent, CommitEvent, StatusEvent, TitleEvent, PinningEvent, RefDeletedEvent]),
  ),
  omittedEvents: z.number().optional().meta({
    description: 'How many events after the first are left out, because one response cannot carry the whole thread.',
  }),
  locked: z.literal(false),
  collection: z.literal('discussions'),
});

export const getDiscussion = defineRoute({
  id: 'getDiscussion',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}',
  summary: 'Get a discussion or pull request with its events',
  tags,
  authority,
  anonymous: true,
  params: DiscussionParams,
  query: z.object({
    diff: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: 'With any value, a pull request comes with `diff`.' }),
  }),
  answers: {
    200: z.discriminatedUnion('isPullRequest', [
      Details.extend({ isPullRequest: z.literal(false), isReport: z.literal(false) }).meta({ id: 'Discussion' }),
      Details.extend({
        isPullRequest: z.literal(true),
        filesWithConflicts: z
          .array(z.string())
          .meta({ description: 'What both sides changed, so that it cannot be merged: at most 1000 paths.' }),
        changes: z.object({
          base: z.string(),
          mergeCommitId: z.string().optional(),
          headCommitId: z.string().optional().meta({ description: 'Commit of the ref when it was deleted.' }),
          refDeleted: z.boolean().optional(),
        }),
        diff: z.string().optional().meta({ description: 'Only with `diff`: what it changes, as a unified diff.' }),
      }).meta({ id: 'PullRequest' }),
    ]),
  },
});

export const getPullRequestStorage = defineRoute({
  id: 'getPullRequestStorage',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/discussions/{num}/storage',
  summary: 'Estimate the storage that deleting the ref of a pull request would free',
  tags,
  authority,
  anonymous: true,
  params: DiscussionParams,
  answers: {
    200: z.object({
      estimatedStorage: z.number().meta({
        description:
          'The bytes of the large files that only this pull request brought. They stay until they are deleted.',
      }),
      refDeleted: z.boolean(),
    }),
  },
});

export const discussionReadRoutes = [listDiscussions, getDiscussion, getPullRequestStorage] as const;
