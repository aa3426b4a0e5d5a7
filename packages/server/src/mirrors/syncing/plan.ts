import type { StoredRef } from '../../content/index.ts';
import type { RefCommand } from '../../git/index.ts';
import { BRANCH, MAIN, TAG } from '../../repositories/index.ts';
import type { RemoteRefs } from '../remote/refs.ts';
import type { RefusedRef } from '../tables.ts';

/** How the refs of a repository become those of its remote. */
export interface UpdatePlan {
  readonly commands: readonly RefCommand[];
  /** The objects that the remote has to send, with all that they lead to. */
  readonly wants: readonly string[];
  /** Refs that are left as they are, because they were refused before and have not changed. */
  readonly refused: readonly RefusedRef[];
}

const isMirrored = (ref: string): boolean => ref.startsWith(BRANCH) || ref.startsWith(TAG);

/**
 * Plans an update: branches and tags are created, moved and deleted as the remote has them. `main` is the remote's own, or
 * else what its HEAD leads to, and is never deleted. Deletions come first, so that `a/b` can take the place of `a`.
 */
export function planUpdate(
  local: readonly StoredRef[],
  { refs, head }: Pick<RemoteRefs, 'refs' | 'head'>,
  before: readonly RefusedRef[],
): UpdatePlan {
  const targets = new Map(refs);
  if (!targets.has(MAIN) && head !== undefined) targets.set(MAIN, head);
  const current = new Map(local.filter(({ ref }) => isMirrored(ref)).map(({ ref, sha, tagId }) => [ref, tagId ?? sha]));
  const gone = [...current].filter(([ref]) => !targets.has(ref) && ref !== MAIN);
  const deletions = gone.map(([ref, oldId]): RefCommand => ({ ref, oldId, newId: null }));
  // A ref may have been refused because of one that goes now.
  const known = deletions.length > 0 ? [] : before;
  const refused = known.filter(({ ref, id }) => targets.get(ref) === id && current.get(ref) !== id);
  const left = new Set(refused.map(({ ref }) => ref));
  const moves = [...targets]
    .filter(([ref, id]) => current.get(ref) !== id && !left.has(ref))
    .map(([ref, newId]): RefCommand => ({ ref, oldId: current.get(ref) ?? null, newId }));
  const there = new Set(local.flatMap(({ sha, tagId }) => [sha, tagId ?? sha]));
  const wants = [...new Set(moves.flatMap(({ newId }) => newId ?? []))].filter((id) => !there.has(id));
  return { commands: [...deletions, ...moves], wants, refused };
}
