import { type LockedPath, lockFinder } from '../../content/index.ts';
import { startGit, textsIn } from '../../platform/git/stock/git-process.ts';
import type { FilesFault } from './examine.ts';
import type { PushedTips } from './inspection.ts';
import type { Quarantine } from './quarantine.ts';

/** The most locked files that a message names. */
const MAX_NAMED = 20;
const NUL = 0;

/** Commits are compared with all of their parents, so that a merge changes only what it has from none of them. */
const LOG = ['log', '--stdin', '--format=', '--name-only', '-z', '-c', '--full-history', '--no-renames'];

/**
 * Returns why a push is refused whose new commits change files that others have locked, or undefined. Commits that some
 * ref leads to already were pushed by somebody who might.
 */
export async function lockFault(
  { gitDir, withRepository }: Pick<Quarantine, 'gitDir' | 'withRepository'>,
  { tips, known }: Pick<PushedTips, 'tips' | 'known'>,
  locks: readonly LockedPath[],
): Promise<FilesFault | undefined> {
  if (locks.length === 0 || tips.length === 0) return undefined;
  const args = ['--literal-pathspecs', '--git-dir', gitDir, ...LOG];
  await using git = await startGit({ args, environment: withRepository });
  const input = [...tips, ...known.map((id) => `^${id}`), '--', ...locks.map(({ path }) => path)];
  git.input.end(input.map((line) => `${line}\n`).join(''));
  const lockOn = lockFinder(locks);
  const changed = new Map<string, string>();
  for await (const text of textsIn(git, NUL)) {
    // A line feed separates the names of a commit from those of the one before.
    const path = text.replace(/^\n+/, '');
    const lock = lockOn(path);
    if (lock) changed.set(path, lock.owner);
    if (changed.size > MAX_NAMED) break;
  }
  if (changed.size === 0 && (await git.ended) !== 0) throw new Error(`git log failed: ${git.report()}`);
  return changed.size === 0 ? undefined : faultOf([...changed]);
}

const faultOf = (changed: readonly (readonly [path: string, owner: string])[]): FilesFault => ({
  message: [
    'The push changes files that others have locked:',
    ...changed.slice(0, MAX_NAMED).map(([path, owner]) => `  ${path} (locked by ${owner})`),
    ...(changed.length > MAX_NAMED ? ['  and others'] : []),
  ].join('\n'),
  advice: 'Ask them to unlock the files: `git lfs locks` lists them.',
});
