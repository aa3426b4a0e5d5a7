import { linesIn, startGit } from './git-process.ts';

/**
 * Returns those of the given objects that none of the heads leads to. Lists what the heads lead to, newest first, until all
 * are found, so that only objects of long ago and absent ones take long.
 */
export async function unreachableFrom(
  gitDir: string,
  heads: readonly string[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const left = new Set(ids);
  for (const head of heads) left.delete(head);
  if (left.size === 0 || heads.length === 0) return left;
  await using git = await startGit({ args: ['--git-dir', gitDir, 'rev-list', '--objects', '--stdin'] });
  git.input.end(heads.map((head) => `${head}\n`).join(''));
  for await (const line of linesIn(git)) {
    left.delete(line.slice(0, ID_LENGTH));
    if (left.size === 0) return left;
  }
  if ((await git.ended) !== 0) throw new Error(`git rev-list failed: ${git.report()}`);
  return left;
}

const ID_LENGTH = 40;
