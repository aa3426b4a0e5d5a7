import {
  changeDiscussionStatus,
  commentDiscussion,
  createDiscussion,
  deleteDiscussion,
  editComment,
  hideComment,
  mergePullRequest,
} from '@moonbase/client/discussions';
import { readFile, uploadFiles } from '@moonbase/client/files';
import {
  createBranch,
  createRepo,
  createTag,
  deleteBranch,
  deleteRepo,
  moveRepo,
  updateRepoSettings,
} from '@moonbase/client/repositories';
import type { Hub } from '@moonbase/client/request';

/** A change, and the events that must arrive after it. */
export interface Change {
  readonly says: string;
  readonly events: readonly string[];
  run(): Promise<unknown>;
}

/** Random bytes do not compress, and these are too large for git. */
const WEIGHTS = crypto.getRandomValues(new Uint8Array(60_000));

/** Returns one change of each kind, in a possible order. */
export function changes(alice: Hub, bob: Hub): Change[] {
  const repo = { type: 'model', repo: 'acme/lander' } as const;
  const one = { ...repo, num: 1 };
  let commentId = '';
  return [
    {
      says: 'alice creates the model acme/lander',
      events: ['repo/create'],
      run: () => createRepo({ ...alice, ...repo }),
    },
    {
      says: 'alice uploads a README and weights, as one commit',
      events: ['repo.content/update'],
      run: () =>
        uploadFiles({
          ...{ ...alice, ...repo, summary: 'First landing' },
          files: [
            { path: 'README.md', content: '# Lander\n' },
            { path: 'weights.safetensors', content: WEIGHTS },
          ],
        }),
    },
    {
      says: 'bob downloads the weights, byte for byte',
      events: [],
      async run() {
        const file = await readFile({ ...bob, ...repo, path: 'weights.safetensors' });
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (!WEIGHTS.every((byte, at) => byte === bytes[at])) throw new Error('Bob got other bytes');
      },
    },
    {
      says: 'alice makes the branch descent',
      events: ['repo.content/update'],
      run: () => createBranch({ ...alice, ...repo, branch: 'descent' }),
    },
    {
      says: 'alice tags it as v1.0',
      events: ['repo.content/update'],
      run: () => createTag({ ...alice, ...repo, tag: 'v1.0', revision: 'descent' }),
    },
    {
      says: 'alice deletes the branch descent',
      events: ['repo.content/update'],
      run: () => deleteBranch({ ...alice, ...repo, branch: 'descent' }),
    },
    {
      says: 'alice makes the model private',
      events: ['repo.config/update'],
      run: () => updateRepoSettings({ ...alice, ...repo, settings: { private: true } }),
    },
    {
      says: 'bob opens a discussion',
      events: ['discussion/create'],
      run: () => createDiscussion({ ...bob, ...repo, title: 'Where do we land?', description: 'Any preference?' }),
    },
    {
      says: 'alice answers',
      events: ['discussion.comment/create'],
      async run() {
        const { newMessage } = await commentDiscussion({ ...alice, ...one, comment: 'Mare Tranquilitatis' });
        commentId = newMessage.id;
      },
    },
    {
      says: 'alice edits her answer',
      events: ['discussion.comment/update'],
      run: () => editComment({ ...alice, ...one, commentId, content: 'Mare Tranquillitatis' }),
    },
    {
      says: 'alice hides her answer',
      events: ['discussion.comment/update'],
      run: () => hideComment({ ...alice, ...one, commentId }),
    },
    {
      says: 'bob closes the discussion',
      events: ['discussion/update'],
      run: () => changeDiscussionStatus({ ...bob, ...one, status: 'closed' }),
    },
    {
      says: 'bob opens a pull request',
      events: ['discussion/create', 'repo.content/update'],
      run: () =>
        createDiscussion({ ...bob, ...repo, title: 'A softer landing', description: 'See inside.', pullRequest: true }),
    },
    {
      says: 'bob publishes it',
      events: ['discussion/update'],
      run: () => changeDiscussionStatus({ ...bob, ...repo, num: 2, status: 'open' }),
    },
    {
      says: 'alice merges it',
      events: ['repo.content/update', 'discussion/update'],
      run: () => mergePullRequest({ ...alice, ...repo, num: 2 }),
    },
    {
      says: 'alice deletes the discussion',
      events: ['discussion/delete'],
      run: () => deleteDiscussion({ ...alice, ...one }),
    },
    {
      says: 'alice moves the model to her own name',
      events: ['repo/move'],
      run: () => moveRepo({ ...alice, type: 'model', from: 'acme/lander', to: 'alice/lander' }),
    },
    {
      says: 'alice deletes the model',
      events: ['repo/delete'],
      run: () => deleteRepo({ ...alice, type: 'model', repo: 'alice/lander' }),
    },
  ];
}
