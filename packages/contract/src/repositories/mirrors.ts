import * as z from 'zod';
import { Empty, ObjectId, Page, RepoId, RepoParams, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['repos'];
const params = RepoParams.extend({ repoType: z.enum(['models', 'datasets', 'spaces', 'kernels']) });
const path = '/api/{repoType}/{namespace}/{repo}/mirror';
const authority = 'repo.write';

const MAX_INTERVAL_SECONDS = 30 * 86_400;

/** The default interval in seconds, unless the hub demands a longer one. */
export const DEFAULT_INTERVAL_SECONDS = 8 * 3600;

const Url = z.string().min(1).max(2000).meta({
  description:
    'Address of a git repository, as `git clone` takes it: `https://…`, with or without `.git`. `http://` is for addresses that the operator allows.',
});
const Username = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\x20-9;-~]+$/, 'must be printable ASCII without colons')
  .meta({ description: 'The user name that goes with the token (default: `git`); many remotes ignore it.' });
const Token = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII')
  .meta({ description: 'A token or password for the remote. It is never shown again.' });
const Interval = z
  .int()
  .min(1)
  .max(MAX_INTERVAL_SECONDS)
  .meta({
    description: `Seconds from the end of one sync to the next (default: ${DEFAULT_INTERVAL_SECONDS}). The hub has a minimum.`,
  });

const Status = z.object({
  url: z.string(),
  username: z.string(),
  hasToken: z.boolean(),
  interval: z.int().meta({ description: 'Seconds from the end of one sync to the next.' }),
  user: z.string().optional().meta({ description: 'The user on whose behalf the mirror works; absent once deleted.' }),
  createdAt: Timestamp,
  state: z.enum(['pending', 'synced', 'failing', 'stopped']).meta({
    description:
      '`pending`: not synced yet. `failing`: the last sync failed, and another one follows, later after each failure. ' +
      '`stopped`: the user who set the mirror up, or the access token that was used, may no longer change the repository.',
  }),
  syncing: z.boolean().meta({ description: 'Whether a sync is running.' }),
  progress: z.string().optional().meta({ description: 'How far the running sync is.' }),
  lastSyncedAt: Timestamp.optional().meta({ description: 'When the repository was last as its remote.' }),
  lastAttemptAt: Timestamp.optional().meta({ description: 'When the last sync ended, whatever came of it.' }),
  lastDurationMs: z.int().optional(),
  lastError: z.string().optional().meta({ description: 'Why the last sync failed.' }),
  failures: z.int().meta({ description: 'Failed syncs since the last successful one.' }),
  nextSyncAt: Timestamp,
  skippedRefs: z
    .array(z.object({ ref: z.string(), reason: z.string() }))
    .meta({ description: 'Branches and tags of the remote that the hub refuses, at most 100.' }),
});

export const Mirror = Status.meta({ id: 'Mirror' });
export type Mirror = z.infer<typeof Mirror>;

export const getMirror = defineRoute({
  id: 'getMirror',
  method: 'GET',
  path,
  summary: 'Get the mirror settings of a repository and the state of its last sync',
  tags,
  authority,
  params,
  answers: { 200: Mirror },
});

export const createMirror = defineRoute({
  id: 'createMirror',
  method: 'POST',
  path,
  summary: 'Make a repository follow a git repository elsewhere',
  description:
    'The branches, tags and large files of the remote are brought in at once and then at an interval, on behalf of the caller. ' +
    'Each sync that changes something is one `repo.content` event. Nobody else changes the branches and tags of a mirror.',
  tags,
  authority,
  params,
  body: z.object({
    url: Url,
    username: Username.optional(),
    token: Token.optional(),
    interval: Interval.optional(),
    overwrite: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether commits, branches and tags that the repository has may be replaced.' }),
  }),
  answers: { 200: Mirror },
  otherAnswers: {
    409: 'The repository is a mirror already, or has content of its own and `overwrite` is not true.',
    501: 'The hub has no git of version 2.39 or later.',
  },
});

export const updateMirror = defineRoute({
  id: 'updateMirror',
  method: 'PUT',
  path,
  summary: 'Change what a mirror follows, and how often',
  description:
    'What is left out stays, except that another URL without a token removes the token. From then on the mirror works on ' +
    'behalf of the caller. A sync follows at once.',
  tags,
  authority,
  params,
  body: z.object({
    url: Url.optional(),
    username: Username.optional(),
    token: Token.nullable().optional().meta({ description: 'null removes the token.' }),
    interval: Interval.optional(),
  }),
  answers: { 200: Mirror },
});

export const deleteMirror = defineRoute({
  id: 'deleteMirror',
  method: 'DELETE',
  path,
  summary: 'Let a repository no longer follow its remote; its content stays',
  tags,
  authority,
  params,
  answers: { 200: Empty },
});

export const syncMirror = defineRoute({
  id: 'syncMirror',
  method: 'POST',
  path: `${path}/sync`,
  summary: 'Sync a mirror now',
  description:
    'The sync begins as soon as a place is free. It has ended once `syncing` is false and `nextSyncAt` differs from that of ' +
    'this response.',
  tags,
  authority,
  params,
  answers: { 200: Mirror },
});

/** A mirror as site administrators see it. */
export const MirrorEntry = Status.extend({ id: ObjectId, repo: RepoId }).meta({ id: 'MirrorEntry' });
export type MirrorEntry = z.infer<typeof MirrorEntry>;

export const listMirrors = defineRoute({
  id: 'listMirrors',
  method: 'GET',
  path: '/api/admin/mirrors',
  summary: 'List the mirrors of the hub, newest repository first',
  tags: ['admin'],
  authority: 'site-admin.read',
  query: Page.extend({
    failing: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional()
      .meta({ description: 'true: only those whose last sync failed or that are stopped; false: only the others.' }),
  }),
  answers: { 200: z.array(MirrorEntry) },
});

export const removeMirror = defineRoute({
  id: 'removeMirror',
  method: 'DELETE',
  path: '/api/admin/mirrors/{id}',
  summary: 'Let any repository of the hub no longer follow its remote; its content stays',
  tags: ['admin'],
  authority: 'site-admin',
  params: z.object({ id: ObjectId }),
  answers: { 200: Empty },
});

export const mirrorRoutes = [
  getMirror,
  createMirror,
  updateMirror,
  deleteMirror,
  syncMirror,
  listMirrors,
  removeMirror,
] as const;
