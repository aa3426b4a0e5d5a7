import * as z from 'zod';
import { ObjectId, Page, RepoId, Success } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const repoForms = '`owner/name` of a model, or of any repository with its type: `dataset/owner/name`';

/** A target to watch, by object id or by name. */
const WatchItem = z.object({
  id: z.string().meta({ description: `Object id, or a name: of a user or organization, or ${repoForms}` }),
  type: z.enum(['org', 'user', 'repo']),
});

/** A target to mute. */
const MuteItem = z.object({
  id: z.string().meta({
    description: `Object id of a repository, discussion, paper, post or article; or the name of a repository: ${repoForms}`,
  }),
  type: z.enum(['repo', 'discussion']),
});

/** A watched target. `repo` is present for a repository, whose picture is that of its owner. */
export const Watched = z
  .object({
    id: ObjectId,
    type: z.enum(['org', 'user', 'repo']),
    name: z.string(),
    avatarUrl: z.string(),
    repo: RepoId.optional(),
  })
  .meta({ id: 'Watched' });
export type Watched = z.infer<typeof Watched>;

/**
 * A muted target. The name of a discussion is its title, `thread` its kind. `repo` and `num` are present for a
 * repository and its discussions.
 */
export const Muted = z
  .object({
    id: ObjectId,
    type: z.enum(['repo', 'discussion']),
    name: z.string(),
    thread: z.enum(['repo', 'paper', 'post', 'community_blog']).optional(),
    repo: RepoId.optional(),
    num: z.int().optional(),
  })
  .meta({ id: 'Muted' });
export type Muted = z.infer<typeof Muted>;

const tags = ['notifications'];
const otherAnswers = { 404: 'Something to add is not there, or not visible to the caller. Nothing has changed.' };
const BOTH = 'An item in both lists is added. Deleting a missing item is not an error.';

export const updateWatched = defineRoute({
  id: 'updateWatched',
  method: 'PATCH',
  path: '/api/settings/watch',
  summary: 'Update watch settings',
  description: `Watched targets notify the caller of discussions. ${BOTH}`,
  tags,
  authority: 'user.settings.write',
  body: z.object({ add: z.array(WatchItem).default([]), delete: z.array(WatchItem).default([]) }),
  answers: { 200: Success },
  otherAnswers,
});

export const listWatched = defineRoute({
  id: 'listWatched',
  method: 'GET',
  path: '/api/settings/watch',
  summary: 'List watched targets, newest first',
  description: 'Omits targets that the caller may not see.',
  tags,
  authority: 'user.settings.read',
  query: Page,
  answers: { 200: z.array(Watched) },
});

export const updateMuted = defineRoute({
  id: 'updateMuted',
  method: 'PATCH',
  path: '/api/settings/mute',
  summary: 'Mute and unmute repositories and threads',
  description:
    'A muted repository notifies only of mentions and of threads in which the caller participates; a muted discussion, paper, post or ' +
    `article never notifies. ${BOTH}`,
  tags,
  authority: 'user.settings.write',
  body: z.object({ add: z.array(MuteItem).default([]), delete: z.array(MuteItem).default([]) }),
  answers: { 200: Success },
  otherAnswers,
});

export const listMuted = defineRoute({
  id: 'listMuted',
  method: 'GET',
  path: '/api/settings/mute',
  summary: 'List muted targets, newest first',
  description: 'Omits targets that the caller may not see.',
  tags,
  authority: 'user.settings.read',
  query: Page,
  answers: { 200: z.array(Muted) },
});

export const watchingRoutes = [updateWatched, listWatched, updateMuted, listMuted] as const;
