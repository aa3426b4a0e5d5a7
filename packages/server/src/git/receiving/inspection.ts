import { linesIn, startGit } from '../../platform/git/stock/git-process.ts';
import type { Quarantine } from './quarantine.ts';

/** A file that a push brings. */
export interface PushedFile {
  readonly id: string;
  readonly size: number;
  /** One of the paths that it is at. */
  readonly path: string;
}

export type Inspection =
  | { readonly fault: string }
  | { readonly fault?: undefined; readonly files: readonly PushedFile[]; readonly isEmpty: boolean };

const FORMAT = '%(objecttype) %(objectsize) %(objectname) %(rest)';

/**
 * Lists what a push adds to what refs lead to. Everything that is new must be among the objects of the push: neither may
 * objects be absent, nor may a push bring back objects that no ref leads to any more.
 */
export async function inspect(
  quarantine: Quarantine,
  tips: readonly string[],
  known: readonly string[],
): Promise<Inspection> {
  const { gitDir, withRepository, alone } = quarantine;
  const walkArgs = ['--git-dir', gitDir, 'rev-list', '--objects', '--stdin'];
  await using walk = await startGit({ args: walkArgs, environment: withRepository });
  const lookArgs = ['--git-dir', gitDir, 'cat-file', `--batch-check=${FORMAT}`, '--buffer'];
  await using look = await startGit({ args: lookArgs, environment: alone });
  walk.input.end([...tips, ...known.map((id) => `^${id}`)].map((line) => `${line}\n`).join(''));
  walk.output.pipe(look.input);

  const files: PushedFile[] = [];
  let isEmpty = true;
  let absent: string | undefined;
  for await (const line of linesIn(look)) {
    isEmpty = false;
    const [, type, size, id = '', path = ''] = /^(\w+) (\d+) ([0-9a-f]{40}) ?(.*)$/s.exec(line) ?? [];
    if (size === undefined) absent ??= line.split(' ', 1)[0];
    else if (type === 'blob') files.push({ id, size: Number(size), path });
  }
  if ((await walk.ended) !== 0 || absent !== undefined)
    return { fault: `the push refers to objects that neither it nor the repository has${absent ? `: ${absent}` : ''}` };
  if ((await look.ended) !== 0) throw new Error(`git cat-file failed: ${look.report()}`);
  return { files, isEmpty };
}
