import { linesIn, startGit } from './git-process.ts';

const MAX_FINDINGS = 3;

/**
 * Returns the first faults that `git fsck` finds in a bare repository: damaged objects, and missing ones that its refs lead
 * to. Throws `GitUnavailable` if there is no git, or the reason of the signal.
 */
export async function fsck(gitDir: string, signal?: AbortSignal): Promise<string[]> {
  await using git = await startGit({ args: ['--git-dir', gitDir, 'fsck', '--full', '--no-dangling', '--no-progress'] });
  signal?.addEventListener('abort', git.end, { once: true });
  git.input.end();
  const findings: string[] = [];
  try {
    for await (const line of linesIn(git)) if (findings.length < MAX_FINDINGS) findings.push(line);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
  const code = await git.ended;
  if (code === 0) return [];
  const reported = git.report().split('\n').filter(Boolean);
  const all = [...reported, ...findings].slice(0, MAX_FINDINGS);
  return all.length > 0 ? all : [`git fsck ended with status ${code}`];
}
