import { z } from 'zod';
import { ObjectId, Page, RepoId, Success } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const repoForms = '`owner/name` of a model, and with the type before it of any repository: `dataset/owner/name`';

/** What is watched, as it is named: by object id or by name. */
const WatchItem = z.object({
  id: z.string().meta({ description: `Object id, or a name: of a user or organization, or ${repoForms}` }),
  type: z.enum(['org', 'user', 'repo']),
});

/** What is muted, as it is named. */
const MuteItem = z.object({
  id: z.string().meta({
    description: `Object id: of a repository, or of a discussion, paper, post or article. A repository by name, too: ${repoForms}`,
  }),
  type: z.enum(['repo', 'discussion']),
});

/** What is watched. `repo`: of a repository, whose picture is its owner's. */
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
 * What is muted. The name of a discussion is its title, `thread` what kind it is. `repo` and `num`: of a repository
 * and of its discussions.
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
const BOTH = 'An item in both lists is added. To delete what is not there is no error.';

export const updateWatched = defineRoute({
  id: 'updateWatched',
  method: 'PATCH',
  path: '/api/settings/watch',
  summary: 'Update watch settings',
  description: `Get notified when something is discussed on what you watch. ${BOTH}`,
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
  summary: 'List what is watched, newest first',
  description: 'Without what the caller may not see.',
  tags,
  authority: 'user.settings.read',
  query: Page,
  answers: { 200: z.array(Watched) },
});

export const updateMuted = defineRoute({
  id: 'updateMuted',
  method: 'PATCH',
  path: '/api/settings/mute',
  summary: 'Mute and unmute',
  description:
    'A muted repository notifies of mentions and of threads taken part in only, a muted discussion, paper, post or ' +
    `article of nothing. ${BOTH}`,
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
  summary: 'List what is muted, newest first',
  description: 'Without what the caller may not see.',
  tags,
  authority: 'user.settings.read',
  query: Page,
  answers: { 200: z.array(Muted) },
});

export const watchingRoutes = [updateWatched, listWatched, updateMuted, listMuted] as const;
