import { type FileRepo, listFiles, type UploadProgress, uploadFiles } from '@moonbase/client/files';
import type { Hub } from '@moonbase/client/request';
import { globFilter } from '../../files/globs.ts';
import { createNodeHash } from '../../files/hash.ts';
import { localFiles } from '../../files/local-files.ts';
import { command } from '../../program/command.ts';
import { UsageError } from '../../program/failure.ts';
import { optionalArgument, text, texts } from '../../program/parameter.ts';
import { progressText } from '../../terminal/bytes.ts';
import { withProgress } from '../../terminal/progress.ts';
import { branch, commitMessage, createPr, discussedType, exclude, include, repo } from '../parameters.ts';

export const STEPS: Readonly<Record<UploadProgress['step'], string>> = {
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
    const files = await localFiles(args.from ?? '.', args.to, chosen, terminal.stdin);
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
