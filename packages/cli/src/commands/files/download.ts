import { openFile } from '@moonbase/client/files';
import { globFilter } from '../../files/globs.ts';
import { createNodeHash as createHash } from '../../files/hash.ts';
import { inParallel } from '../../files/in-parallel.ts';
import { filesAt } from '../../files/repo-files.ts';
import { isSaved, saveFile } from '../../files/save.ts';
import { command } from '../../program/command.ts';
import { number, restArguments, text } from '../../program/parameter.ts';
import { bytesText, progressText } from '../../terminal/bytes.ts';
import { withProgress } from '../../terminal/progress.ts';
import { discussedType, exclude, include, repo, revision } from '../parameters.ts';

const AT_ONCE = 4;

export const download = command({
  name: 'download',
  summary: 'download files of a repository',
  details:
    'Every file is verified against its hash before it gets its name. After an interruption, run the command again: complete files are kept, and a partial file is resumed.',
  args: { repo, paths: restArguments('files and folders (default: all)') },
  options: {
    type: discussedType,
    revision,
    to: text('folder', 'folder to save them in (default: one with the name of the repository)', { short: 'o' }),
    include,
    exclude,
    atOnce: number('count', `files at the same time (default: ${AT_ONCE})`),
  },
  async run({ hub, args, options, terminal }) {
    const { type = 'model', atOnce = AT_ONCE } = options;
    const at = { type, repo: args.repo, revision: options.revision };
    const chosen = { named: args.paths ?? [], isWanted: globFilter(options.include, options.exclude) };
    const { commit, files } = await filesAt(hub, at, chosen);
    const folder = options.to ?? args.repo.slice(args.repo.indexOf('/') + 1);
    const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
    const kept: string[] = [];
    let bytes = 0;
    await withProgress(terminal, (show) =>
      inParallel(files, Math.max(1, atOnce), async (file, signal) => {
        const onBytes = (more: number) => {
          bytes += more;
          show(progressText('Downloading', bytes, totalBytes));
        };
        if (await isSaved(folder, file)) {
          kept.push(file.path);
          return onBytes(file.size);
        }
        await saveFile(
          folder,
          file,
          (begun) =>
            openFile({ ...hub, ...at, signal, revision: commit, path: file.path, known: file, begun, createHash }),
          onBytes,
        );
      }),
    );
    const isKept = new Set(kept);
    const saved = files.map(({ path }) => path).filter((path) => !isKept.has(path));
    return { folder, commit, saved, unchanged: kept.sort(), bytes: totalBytes };
  },
  say({ folder, commit, saved, unchanged, bytes }) {
    const parts = [
      `${count(saved.length)} downloaded`,
      ...(unchanged.length > 0 ? [`${unchanged.length} unchanged`] : []),
    ];
    return `${folder}: ${parts.join(', ')}, ${bytesText(bytes)}, commit ${commit}.\n`;
  },
});

const count = (files: number): string => (files === 1 ? '1 file' : `${files} files`);
