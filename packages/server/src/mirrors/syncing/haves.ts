import type { StoredRef } from '../../content/index.ts';
import { GitFault } from '../../platform/git/fault.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { BRANCH, TAG } from '../../repositories/index.ts';

const MAX_WALKED = 1_024;
const MAX_REWRITTEN = 32;

/**
 * Returns commits that the remote need not send again: all that branches and tags lead to and, for branches that move,
 * older ones at growing distances, because the remote may have rewritten the newest. Refs of pull requests do not count, since
 * they can be deleted meanwhile.
 */
export async function havesOf(
  repository: Pick<GitRepository, 'readCommit'>,
  refs: readonly StoredRef[],
  moving: ReadonlySet<string>,
): Promise<string[]> {
  const mirrored = refs.filter(({ ref }) => ref.startsWith(BRANCH) || ref.startsWith(TAG));
  const haves = new Set(mirrored.map(({ sha }) => sha));
  const moved = mirrored.filter(({ ref }) => moving.has(ref)).slice(0, MAX_REWRITTEN);
  for (const { sha } of moved) for (const id of await ancestorsOf(repository, sha)) haves.add(id);
  return [...haves];
}

/** Returns the first parents of a commit at the distances 1, 2, 4, … */
async function ancestorsOf({ readCommit }: Pick<GitRepository, 'readCommit'>, head: string): Promise<string[]> {
  const found: string[] = [];
  try {
    let id = head;
    for (let distance = 1; distance <= MAX_WALKED; distance++) {
      const [parent] = (await readCommit(id)).parents;
      if (parent === undefined) break;
      id = parent;
      if (Number.isInteger(Math.log2(distance))) found.push(id);
    }
  } catch (error) {
    // What cannot be read is sent again.
    if (!(error instanceof GitFault)) throw error;
  }
  return found;
}
