import { type GitProcess, startGit } from '../stock/git-process.ts';

/** The longest time for one command. */
const MAX_MS = 60 * 60 * 1000;
/** An id in hexadecimal digits, and a line feed. */
const ID_LINE = 41;

interface Work {
  /** The folder of the repository. */
  readonly gitDir: string;
  /** Ends git at once. */
  readonly signal: AbortSignal;
}

/** Runs git, uses its output, and throws if git fails, takes too long, or was ended by the signal. */
async function withGit<T>(
  { gitDir, signal }: Work,
  args: readonly string[],
  use: (git: GitProcess) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  await using git = await startGit({ args: ['--git-dir', gitDir, ...args], endsWithHub: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    git.end();
  }, MAX_MS);
  signal.addEventListener('abort', git.end);
  // A signal that came while git was started.
  if (signal.aborted) git.end();
  try {
    const result = await use(git).catch((error: unknown) => {
      // The output of a process that was ended breaks off.
      if (signal.aborted || isLate) return undefined;
      throw error;
    });
    const code = await git.ended;
    signal.throwIfAborted();
    if (isLate) throw new Error(`git ${args[0]} took longer than an hour`);
    if (code !== 0 || result === undefined)
      throw new Error(`git ${args[0]} ended with ${code}: ${reportOf(git, gitDir)}`);
    return result;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', git.end);
  }
}

/** Returns what git has reported, without the path of the repository. */
const reportOf = (git: GitProcess, gitDir: string): string => git.report().replaceAll(gitDir, '').trim();

async function readAll(git: GitProcess): Promise<string> {
  let text = '';
  for await (const chunk of git.output) text += String(chunk);
  return text;
}

const run = async (work: Work, ...args: string[]): Promise<void> => {
  await withGit(work, args, readAll);
};

/** What every repack does: delete what is superseded, and write the index of all packs with a bitmap for clones. */
const REPACK = ['repack', '-d', '-n', '--quiet', '--write-midx', '--write-bitmap-index'];

/**
 * Combines loose objects and small packs into one pack, so that each pack has at least twice as many objects as the next
 * smaller one. Keeps objects that no ref leads to.
 */
export const repackGeometrically = (work: Work): Promise<void> => run(work, ...REPACK, '--geometric=2');

/**
 * Packs everything that refs lead to into one pack, and everything else into another one, without what is older than a
 * time and to which nothing younger leads.
 */
export const repackApart = (work: Work, expireAt: number): Promise<void> =>
  run(work, ...REPACK, '--cruft', `--cruft-expiration=${Math.floor(expireAt / 1000)}`);

/**
 * Writes the graph of commits, with filters for changed paths, which makes walks through the history quick: what is new in
 * a layer of its own, or with `replace` all that refs lead to and nothing else.
 */
export const writeCommitGraph = (work: Work, { replace = false } = {}): Promise<void> =>
  run(
    work,
    ...['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'],
    replace ? '--split=replace' : '--split',
  );

/** Returns the number of different objects that are stored. */
export const countStored = (work: Work): Promise<number> =>
  withGit(work, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)', '--unordered'], async (git) => {
    let bytes = 0;
    for await (const chunk of git.output) bytes += Buffer.byteLength(chunk);
    return bytes / ID_LINE;
  });

/** Returns the number of objects that refs or the given commits lead to. Throws if one of them is missing. */
export const countReachable = (work: Work, commits: readonly string[]): Promise<number> =>
  withGit(work, ['rev-list', '--all', ...commits, '--objects', '--count', '--use-bitmap-index'], async (git) =>
    Number(await readAll(git)),
  );
