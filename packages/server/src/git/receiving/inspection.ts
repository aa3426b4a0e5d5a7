import { pipeline } from 'node:stream/promises';
import { linesIn, startGit } from '../../platform/git/stock/git-process.ts';
import { unreachableFrom } from '../../platform/git/stock/unreachable.ts';
import type { Quarantine } from './quarantine.ts';
import { ABSENT } from './report.ts';

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

export interface PushedTips {
  /** The objects that refs will point to. */
  readonly tips: readonly string[];
  /** The objects that refs point to now. */
  readonly known: readonly string[];
  /** The objects of the repository that were added to the pack as bases of its deltas. */
  readonly added: readonly string[];
}

/**
 * Lists what a push adds to what refs lead to. Whatever the push does not bring itself must be something that a ref leads to:
 * neither may objects be absent, nor may a push bring back what was deleted, if only by its id.
 */
export async function inspect(
  quarantine: Pick<Quarantine, 'gitDir' | 'withRepository' | 'alone'>,
  { tips, known, added }: PushedTips,
): Promise<Inspection> {
  const { gitDir, withRepository, alone } = quarantine;
  const walkArgs = ['--git-dir', gitDir, 'rev-list', '--objects', '--stdin'];
  await using walk = await startGit({ args: walkArgs, environment: withRepository });
  const lookArgs = ['--git-dir', gitDir, 'cat-file', `--batch-check=${FORMAT}`, '--buffer'];
  await using look = await startGit({ args: lookArgs, environment: alone });
  walk.input.end([...tips, ...known.map((id) => `^${id}`)].map((line) => `${line}\n`).join(''));
  // If either of them is killed, the other one must not wait for it.
  const fed = pipeline(walk.output, look.input).catch(() => {});

  const files: PushedFile[] = [];
  let isEmpty = true;
  const bases = new Set(added);
  const others: string[] = [];
  for await (const line of linesIn(look)) {
    isEmpty = false;
    const [, type, size, id = '', path = ''] = /^(\w+) (\d+) ([0-9a-f]{40}) ?(.*)$/s.exec(line) ?? [];
    // git says `<id> missing` of an object that the push does not have.
    if (size === undefined) others.push(line.replace(/ .*/s, ''));
    else if (bases.has(id)) others.push(id);
    else if (type === 'blob') files.push({ id, size: Number(size), path });
  }
  await fed;
  const walked = await walk.ended;
  if (walked === null) throw new Error('git rev-list was ended by a signal');
  if (walked !== 0) return { fault: ABSENT };
  const [hidden] = others.length > 0 ? await unreachableFrom(gitDir, known, others) : [];
  if (hidden !== undefined) return { fault: `${ABSENT}: ${hidden}` };
  if ((await look.ended) !== 0) throw new Error(`git cat-file failed: ${look.report()}`);
  return { files, isEmpty };
}
