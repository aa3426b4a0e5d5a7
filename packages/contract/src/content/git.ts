import * as z from 'zod';
import { RepoParams } from '../primitives.ts';
import { defineRoute } from '../route.ts';

/** The media type of errors on the paths of git, which git shows to the person at the terminal. */
export const GIT_ERROR_TYPE = 'text/plain';

/** The services of git over HTTP. */
export const GIT_SERVICES = ['git-upload-pack', 'git-receive-pack'] as const;
export type GitService = (typeof GIT_SERVICES)[number];

/** The name of a repository with or without `.git`. */
const RepoOrGit = z
  .string()
  .min(1)
  .overwrite((name) => name.replace(/\.git$/i, ''))
  .meta({ description: 'The name of the repository, with or without `.git`.' });

const OfModel = z.object({ namespace: RepoParams.shape.namespace, repo: RepoOrGit });
const OfOthers = OfModel.extend({
  repoType: z
    .enum(['models', 'datasets', 'spaces', 'kernels'])
    .meta({ description: 'The type of the repository, in the plural.' }),
});

const media = { type: GIT_ERROR_TYPE, error: z.string() };

const WITHOUT_GIT = 'The hub has no git of version 2.39 or later.';

const discovery = {
  method: 'GET',
  tags: ['content'],
  description:
    'The first request of `git clone`, `git fetch` and `git push`. git sends an access token as the password or the ' +
    'user name of `Basic`. With `Git-Protocol: version=2` a fetch learns what the hub supports; otherwise the response ' +
    'lists the refs.',
  authority: 'repo.content.read',
  anonymous: true,
  query: z.object({ service: z.enum(GIT_SERVICES) }),
  media,
  answers: {},
  otherAnswers: { 200: 'The capabilities of the hub or the refs, as pkt-lines.', 501: WITHOUT_GIT },
} as const;

const uploadPack = {
  method: 'POST',
  tags: ['content'],
  description: 'Lists refs or sends objects, as `git clone` and `git fetch` ask for them.',
  authority: 'repo.content.read',
  anonymous: true,
  rawBody: {
    description: 'pkt-lines, possibly compressed.',
    types: ['application/x-git-upload-pack-request'],
    stream: true,
  },
  media,
  answers: {},
  otherAnswers: { 200: 'pkt-lines, with a pack if objects are sent.', 501: WITHOUT_GIT },
} as const;

const receivePack = {
  method: 'POST',
  tags: ['content'],
  description:
    'Receives objects and moves refs, as `git push` asks. All refs of a push move together with one event. Writers move ' +
    'branches and tags; the author of a pull request and writers move `refs/pr/N`. A refusal names its reason per ref.',
  authority: 'repo.content.read',
  rawBody: {
    description: 'pkt-lines and a pack, possibly compressed.',
    types: ['application/x-git-receive-pack-request'],
    stream: true,
  },
  media,
  answers: {},
  otherAnswers: {
    200: 'pkt-lines with what became of each ref.',
    501: WITHOUT_GIT,
    507: 'The disk of the hub is full.',
  },
} as const;

export const advertiseGit = defineRoute({
  ...discovery,
  id: 'advertiseGit',
  summary: 'Begin a fetch from or a push to a model with git',
  path: '/{namespace}/{repo}/info/refs',
  params: OfModel,
});

export const advertiseGitOfType = defineRoute({
  ...discovery,
  id: 'advertiseGitOfType',
  summary: 'Begin a fetch from or a push to a repository with git',
  path: '/{repoType}/{namespace}/{repo}/info/refs',
  params: OfOthers,
});

export const fetchWithGit = defineRoute({
  ...uploadPack,
  id: 'fetchWithGit',
  summary: 'Send objects of a model to git',
  path: '/{namespace}/{repo}/git-upload-pack',
  params: OfModel,
});

export const fetchWithGitOfType = defineRoute({
  ...uploadPack,
  id: 'fetchWithGitOfType',
  summary: 'Send objects of a repository to git',
  path: '/{repoType}/{namespace}/{repo}/git-upload-pack',
  params: OfOthers,
});

export const pushWithGit = defineRoute({
  ...receivePack,
  id: 'pushWithGit',
  summary: 'Receive a push of git to a model',
  path: '/{namespace}/{repo}/git-receive-pack',
  params: OfModel,
});

export const pushWithGitOfType = defineRoute({
  ...receivePack,
  id: 'pushWithGitOfType',
  summary: 'Receive a push of git to a repository',
  path: '/{repoType}/{namespace}/{repo}/git-receive-pack',
  params: OfOthers,
});

export const gitRoutes = [
  advertiseGit,
  advertiseGitOfType,
  fetchWithGit,
  fetchWithGitOfType,
  pushWithGit,
  pushWithGitOfType,
] as const;
