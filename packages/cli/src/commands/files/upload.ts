import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type FileRepo, listFiles, type UploadFile, type UploadProgress, uploadFiles } from '@moonbase/client/files';
import type { Hub } from '@moonbase/client/request';
import { globFilter, type PathFilter } from '../../files/globs.ts';
import { createNodeHash } from '../../files/hash.ts';
import { localSource } from '../../files/local-source.ts';
import { filesBelow } from '../../files/walk.ts';
import { command } from '../../program/command.ts';
import { FailedError, reasonOf, UsageError } from '../../program/failure.ts';
import { optionalArgument, text, texts } from '../../program/parameter.ts';
import { progressText } from '../../terminal/bytes.ts';
import { withProgress } from '../../terminal/progress.ts';
import { branch, commitMessage, createPr, discussedType, exclude, include, repo } from '../parameters.ts';

const STEPS: Readonly<Record<UploadProgress['step'], string>> = {
  hashing: 'Reading',
  sending: 'Sending',
  committing: 'Committing',
};

export const upload = command({
  name: 'upload',
  summary: 'upload a file or a folder as a commit',
  details:
    'Files that the repository already has are not sent again: after an interruption, run the command again. `-` reads standard input, and needs a path in the repository.',
  args: {
    repo,
    from: optionalArgument('file, folder or - (default: the current folder)'),
    to: optionalArgument('path in the repository (default: the name of the file; for a folder, the root)'),
  },
  options: {
    type: discussedType,
    revision: branch,
    createPr,
    message: commitMessage,
    description: text('text', 'the rest of the commit message'),
    parentCommit: text('commit', 'fail if the branch is not at this commit'),
    include,
    exclude,
    delete: texts('pattern', 'also delete files of the repository whose path matches'),
  },
  async run({ hub, args, options, terminal }) {
    const { type = 'model', revision = 'main', message, description, parentCommit } = options;
    const at = { type, repo: args.repo };
    const chosen = globFilter(options.include, options.exclude);
    const files = await filesOf(args.from ?? '.', args.to, chosen, terminal.stdin);
    const paths = new Set(files.map(({ path }) => path));
    const deletions = options.delete ? await deletionsOf(hub, { ...at, revision }, options.delete, paths) : [];
    if (files.length === 0 && deletions.length === 0) throw new UsageError('There is nothing to upload.');
    const summary = message ?? `Upload ${files.length === 1 ? files[0]?.path : `${files.length} files`}`;
    return withProgress(terminal, (show) =>
      uploadFiles({
        ...{
          ...hub,
          ...at,
          branch: revision,
          createPullRequest: options.createPr,
          files,
          deletions,
          summary,
          description,
          parentCommit,
        },
        createHash: createNodeHash,
        onProgress: ({ step, bytes, totalBytes }) => show(progressText(STEPS[step], bytes, totalBytes)),
      }),
    );
  },
  say({ commits, pullRequestUrl, uploaded, unchanged, ignored }, { args }) {
    const urls = pullRequestUrl === undefined ? commits.map(({ commitUrl }) => commitUrl) : [pullRequestUrl];
    const lines = urls.map((url) => `${url}\n`);
    const parts = [
      `uploaded ${count(uploaded.length)}`,
      ...(unchanged.length > 0 ? [`${unchanged.length} unchanged`] : []),
      ...(ignored.length > 0 ? [`${ignored.length} ignored`] : []),
    ];
    return `${args.repo}: ${parts.join(', ')}.\n${lines.join('')}`;
  },
});

const count = (files: number): string => (files === 1 ? '1 file' : `${files} files`);

async function filesOf(
  from: string,
  to: string | undefined,
  chosen: PathFilter,
  stdin: AsyncIterable<Uint8Array | string>,
): Promise<UploadFile[]> {
  if (from === '-') {
    if (!to) throw new UsageError('Standard input needs a path in the repository: moonbase upload <repo> - <path>.');
    return [{ path: to, content: await blobOf(stdin) }];
  }
  const found = await stat(from).catch((error: unknown) => {
    throw new FailedError(`Cannot read ${from}: ${reasonOf(error)}`);
  });
  if (!found.isDirectory()) {
    const path = to === undefined || to.endsWith('/') ? `${to ?? ''}${basename(from)}` : to;
    return [{ path, content: await localSource(from) }];
  }
  const prefix = to === undefined || to === '.' || to === '/' ? '' : `${to.replace(/\/+$/, '')}/`;
  const below = (await filesBelow(from)).filter(({ path }) => chosen(path));
  return Promise.all(below.map(async ({ path, file }) => ({ path: prefix + path, content: await localSource(file) })));
}

async function blobOf(stdin: AsyncIterable<Uint8Array | string>): Promise<Blob> {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  for await (const part of stdin) parts.push(typeof part === 'string' ? part : new Uint8Array(part));
  return new Blob(parts);
}

/** Returns the files in the repository that match the patterns and are not uploaded, except `.gitattributes`. */
async function deletionsOf(
  hub: Hub,
  at: FileRepo & { readonly revision: string },
  patterns: readonly string[],
  kept: ReadonlySet<string>,
): Promise<string[]> {
  const isNamed = globFilter(patterns);
  const paths: string[] = [];
  for await (const { type, path } of listFiles({ ...hub, ...at, recursive: true }))
    if (type === 'file' && path !== '.gitattributes' && isNamed(path) && !kept.has(path)) paths.push(path);
  return paths;
}
