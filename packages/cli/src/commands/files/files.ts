import { compareRevisions, getPathsInfo } from '@moonbase/client/content';
import { deleteFiles, listFiles, listHistory, openFile } from '@moonbase/client/files';
import { createNodeHash } from '../../files/hash.ts';
import { command, listing } from '../../program/command.ts';
import { FailedError, UsageError } from '../../program/failure.ts';
import { argument, flag, optionalArgument, restArguments } from '../../program/parameter.ts';
import { withoutControls } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { branch, commitMessage, createPr, discussedType, repo, revision, when } from '../parameters.ts';

export const ls = listing({
  name: 'ls',
  summary: 'list the files and folders of a repository',
  args: { repo, folder: optionalArgument('folder (default: the root)') },
  options: {
    type: discussedType,
    revision,
    recursive: flag('also what is in the folders', { short: 'r' }),
    commits: flag('with the last commit of each'),
  },
  run: ({ hub, args, options: { type = 'model', commits, ...options } }) =>
    listFiles({ ...hub, ...args, ...options, type, expand: commits }),
  columns: {
    bytes: ({ type, size, lfs }) => (type === 'file' ? (lfs?.size ?? size) : undefined),
    large: ({ lfs }) => (lfs ? 'large' : undefined),
    path: ({ type, path }) => (type === 'directory' ? `${path}/` : path),
    committed: ({ lastCommit }) => when(lastCommit?.date),
    commit: ({ lastCommit }) => lastCommit?.title,
  },
});

export const cat = command({
  name: 'cat',
  summary: 'print a file of a repository',
  args: { repo, path: argument('path of the file') },
  options: { type: discussedType, revision },
  async run({ hub, args, options: { type = 'model', revision: at }, terminal }): Promise<void> {
    const { stream } = await openFile({ ...hub, ...args, type, revision: at, createHash: createNodeHash });
    await print(stream, terminal);
  },
});

/** Writes bytes unchanged; to a terminal only text, without characters that the terminal would execute. */
async function print(stream: ReadableStream<Uint8Array>, { out, outBytes, isTerminal }: Terminal): Promise<void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { value } = next;
      if (outBytes && !isTerminal) await outBytes(value);
      else {
        if (isTerminal && value.includes(0))
          throw new UsageError('The file is not text: redirect it to a file with >.');
        const text = decoder.decode(value, { stream: true });
        out(isTerminal ? withoutControls(text) : text);
      }
    }
  } finally {
    await reader.cancel();
  }
}

export const log = listing({
  name: 'log',
  summary: 'list the commits of a repository, newest first',
  args: { repo },
  options: { type: discussedType, revision },
  run: ({ hub, args, options: { type = 'model', revision: at } }) =>
    listHistory({ ...hub, ...args, type, revision: at }),
  columns: {
    commit: ({ id }) => id,
    date: ({ date }) => when(date),
    author: ({ authors }) => authors.map(({ user }) => user).join(', '),
    title: ({ title }) => title,
  },
});

export const diff = command({
  name: 'diff',
  summary: 'print what changed between two revisions',
  args: { repo, revisions: argument('a..b, or a...b for what changed on b since it diverged from a') },
  options: { type: discussedType },
  run: ({ hub, args, options: { type = 'model' } }) =>
    compareRevisions({ ...hub, type, repo: args.repo, compared: args.revisions }),
  say: (text, { terminal }) => (terminal.isTerminal ? withoutControls(text) : text),
});

export const rm = command({
  name: 'rm',
  summary: 'delete files of a repository, as a commit',
  args: { repo, paths: restArguments('files and folders') },
  options: {
    type: discussedType,
    revision: branch,
    createPr,
    message: commitMessage,
    recursive: flag('also folders, with all that is in them', { short: 'r' }),
  },
  async run({ hub, args, options }) {
    const { type = 'model', revision: at = 'main', message, recursive, createPr: createPullRequest } = options;
    const paths = (args.paths ?? []).map((path) => path.replace(/^\/+|\/+$/g, ''));
    if (paths.length === 0) throw new UsageError('Name the files to delete.');
    const target = { ...hub, type, repo: args.repo };
    const entries = await getPathsInfo({ ...target, revision: at, paths });
    const folders = new Set(entries.filter((entry) => entry.type === 'directory').map(({ path }) => path));
    const [folder] = folders;
    if (folder !== undefined && !recursive) throw new FailedError(`${folder} is a folder: add --recursive.`);
    const summary = message ?? `Delete ${paths.length === 1 ? paths[0] : `${paths.length} files`}`;
    const deletions = paths.map((path) => (folders.has(path) ? `${path}/` : path));
    return deleteFiles({ ...target, branch: at, createPullRequest, summary, paths: deletions });
  },
  say: ({ commitUrl, pullRequestUrl }, { args }) =>
    `${pullRequestUrl ? 'Suggested to delete' : 'Deleted'} ${args.paths?.join(', ')}.\n${pullRequestUrl ?? commitUrl}\n`,
});
