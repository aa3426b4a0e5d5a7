import { compareRevisions } from '@moonbase/client/content';
import { changeDiscussionStatus, commentDiscussion, getDiscussion } from '@moonbase/client/discussions';
import { commitAt, deleteFiles, type FileRepo, uploadFiles } from '@moonbase/client/files';
import type { Hub } from '@moonbase/client/request';
import { globFilter } from '../files/globs.ts';
import { createNodeHash } from '../files/hash.ts';
import { localFiles } from '../files/local-files.ts';
import { command, group, listing } from '../program/command.ts';
import { FailedError, UsageError } from '../program/failure.ts';
import { argument, choice, needed, numberArgument, optionalArgument, text } from '../program/parameter.ts';
import { progressText } from '../terminal/bytes.ts';
import { withProgress } from '../terminal/progress.ts';
import { printable, withoutControls } from '../terminal/table.ts';
import { allPages, bodyOf, eventText, merge, typed } from './discussions.ts';
import { STEPS } from './files/upload.ts';
import { exclude, include, repo, discussedType as type, when } from './parameters.ts';

const one = { repo, num: numberArgument('number of the pull request') };

type Target = Hub & FileRepo & { readonly num: number };

/** Returns a pull request. Throws for a discussion, which shares the numbers. */
async function pullRequestAt(target: Target, diff?: string) {
  const found = await getDiscussion({ ...target, diff });
  if (found.isPullRequest) return found;
  throw new FailedError(`#${target.num} is a discussion: see moonbase discussions show.`);
}

const list = listing({
  name: 'list',
  summary: 'list pull requests of a repository, pinned ones first',
  args: { repo },
  options: {
    type,
    status: choice(['open', 'closed'], 'only this status'),
    author: text('user', 'only those opened by this user'),
    search: text('text', 'only those with this text in the title'),
  },
  run: ({ hub, args, options }) =>
    allPages({ ...hub, ...args, ...options, ...typed(options), kind: 'pull_request' as const }),
  columns: {
    number: (each) => each.num,
    status: ({ status }) => status,
    title: ({ title }) => title,
    author: ({ author }) => author?.name,
    comments: ({ numComments }) => numComments,
    opened: ({ createdAt }) => when(createdAt),
  },
});

const view = command({
  name: 'view',
  summary: 'show a pull request with its commits, comments and conflicts',
  args: one,
  options: { type },
  run: ({ hub, args, options }) => pullRequestAt({ ...hub, ...args, ...typed(options) }),
  say: ({ title, num, status, changes, filesWithConflicts: conflicts, events }) =>
    `${printable(title)} #${num}\n${status}, for ${printable(changes.base.replace('refs/heads/', ''))}\n` +
    (conflicts.length > 0 ? `Both sides changed ${conflicts.map(printable).join(', ')}.\n` : '') +
    events.map(eventText).join(''),
});

const create = command({
  name: 'create',
  summary: 'open a pull request with local files, or with a branch of the repository',
  details:
    'Everybody who may read a repository can suggest local files; only what differs is sent. With --branch, the pull request begins at the head of that branch; later commits of the branch are not part of it.',
  args: {
    repo,
    from: optionalArgument('file, folder or - (default: the current folder)'),
    to: optionalArgument('path in the repository (default: the name of the file; for a folder, the root)'),
  },
  options: {
    type,
    title: needed(text('text', 'the title', { short: 't' })),
    body: text('text', 'the first comment, in Markdown; - reads standard input', { short: 'b' }),
    branch: text('branch', 'branch of the repository to suggest, instead of local files'),
    base: text('branch', 'branch that the pull request is for (default: main)'),
    include,
    exclude,
  },
  async run({ hub, args, options, terminal }) {
    const { branch, base = 'main', title: summary } = options;
    const [isBranch, isLocal] = [branch !== undefined, args.from !== undefined];
    if (isBranch && isLocal) throw new UsageError('Give either local files or --branch.');
    if (args.from === '-' && options.body === '-') throw new UsageError('Standard input can only be read once.');
    const target = { ...hub, repo: args.repo, ...typed(options), branch: base };
    const message = { summary, description: await bodyOf(options.body, terminal) };
    if (branch !== undefined) return createFromBranch({ ...target, ...message }, branch);
    const files = await localFiles(
      args.from ?? '.',
      args.to,
      globFilter(options.include, options.exclude),
      terminal.stdin,
    );
    const { pullRequestUrl } = await withProgress(terminal, (show) =>
      uploadFiles({
        ...{ ...target, ...message, files, createPullRequest: true, createHash: createNodeHash },
        onProgress: ({ step, bytes, totalBytes }) => show(progressText(STEPS[step], bytes, totalBytes)),
      }),
    );
    return opened(pullRequestUrl, `${base} has all of these files already.`);
  },
  say: ({ num, url }) => `Opened #${num}: ${url}\n`,
});

type Proposal = Hub &
  FileRepo & { readonly branch: string; readonly summary: string; readonly description?: string | undefined };

/** Opens a pull request whose commits are those of a branch, which an empty commit on top of it does. */
async function createFromBranch(target: Proposal, branch: string) {
  const head = await commitAt({ ...target, revision: branch });
  const changed = await compareRevisions({ ...target, compared: `${target.branch}...${head}` });
  if (changed === '') throw new FailedError(`${target.branch} has everything on ${branch} already.`);
  const { pullRequestUrl } = await deleteFiles({ ...target, paths: [], parentCommit: head, createPullRequest: true });
  const found = opened(pullRequestUrl, 'The hub opened no pull request.');
  // Pull requests without a commit of their own begin as drafts.
  await changeDiscussionStatus({ ...target, num: found.num, status: 'open' });
  return found;
}

function opened(url: string | undefined, otherwise: string) {
  const [, num] = /\/discussions\/(\d+)$/.exec(url ?? '') ?? [];
  if (url === undefined || num === undefined) throw new FailedError(otherwise);
  return { num: Number(num), url };
}

const close = command({
  name: 'close',
  summary: 'close a pull request',
  args: one,
  options: { type, comment: text('text', 'a comment to add; - reads standard input', { short: 'm' }) },
  async run({ hub, args, options, terminal }) {
    const target = { ...hub, ...args, ...typed(options) };
    await pullRequestAt(target);
    const comment = await bodyOf(options.comment, terminal);
    return changeDiscussionStatus({ ...target, status: 'closed', comment });
  },
  say: (_, { args }) => `#${args.num} is closed.\n`,
});

const addComment = command({
  name: 'comment',
  summary: 'add a comment to a pull request',
  args: { ...one, comment: argument('the comment, in Markdown; - reads standard input') },
  options: { type },
  async run({ hub, args, options, terminal }) {
    const target = { ...hub, ...args, ...typed(options) };
    await pullRequestAt(target);
    return commentDiscussion({ ...target, comment: (await bodyOf(args.comment, terminal)) ?? '' });
  },
  say: (_, { args }) => `Commented on #${args.num}.\n`,
});

const diff = command({
  name: 'diff',
  summary: 'print what a pull request changes',
  args: one,
  options: { type },
  run: async ({ hub, args, options }) => (await pullRequestAt({ ...hub, ...args, ...typed(options) }, '1')).diff ?? '',
  say: (changed, { terminal }) => (terminal.isTerminal ? withoutControls(changed) : changed),
});

export const pullRequests = group('pr', 'pull requests of repositories', [
  ...[list, view, create, diff],
  ...[addComment, merge, close],
]);
