import { LRUCache } from 'lru-cache';
import { treeDiff } from '../../platform/git/diffing/tree-diff.ts';
import { GitFault } from '../../platform/git/fault.ts';
import { mergeBases } from '../../platform/git/merging/merge-bases.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { createPause, type Pause } from '../../platform/in-turns.ts';
import { createKeyedTurns } from '../../platform/turns.ts';
import type { RepositoryObjects } from '../objects.ts';

/** Two commits, and whether the second is compared with the first or with the commit that both come from. */
export interface Compared {
  /** Undefined: the second commit is compared with nothing. */
  readonly from: string | undefined;
  readonly to: string;
  readonly sinceFork: boolean;
}

export type Diff = (repoId: string, compared: Compared) => Promise<string>;

/** What a pull request is compared with, and what it holds. */
export interface Proposal {
  readonly repoId: string;
  /** What the branch holds; undefined where it is gone. */
  readonly head: string | undefined;
  readonly other: string;
  /** The commit that merged it. */
  readonly merge: string | null;
}

/** Returns what a pull request changes, as a unified diff. */
export type DiffOfProposal = (proposal: Proposal) => Promise<string>;

const MAX_CACHED_BYTES = 16 * 1024 * 1024;

async function treeBefore(
  repository: GitRepository,
  { from, to, sinceFork }: Compared,
  pause: Pause,
): Promise<string | undefined> {
  if (from === undefined) return undefined;
  const [fork = from] = sinceFork ? await mergeBases(repository, from, to, pause) : [];
  return (await repository.readCommit(fork)).tree;
}

/** Compares commits of a repository. The comparisons of one repository follow each other. */
export function createDiffs(objects: RepositoryObjects) {
  const inTurn = createKeyedTurns();
  const known = new LRUCache<string, string>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (text) => 2 * text.length + 256,
  });

  const diff: Diff = (repoId, compared) =>
    inTurn(repoId, async () => {
      const key = [repoId, compared.from, compared.to, compared.sinceFork].join(' ');
      const cached = known.get(key);
      if (cached !== undefined) return cached;
      const pause = createPause();
      const repository = objects.open(repoId);
      const before = await treeBefore(repository, compared, pause);
      const { tree: after } = await repository.readCommit(compared.to);
      const text = await treeDiff(repository, { before, after }, pause);
      known.set(key, text);
      return text;
    });

  /** Commits of a ref that was deleted may be gone: there is nothing to show then. */
  const diffOfProposal: DiffOfProposal = async ({ repoId, head, other, merge }) => {
    try {
      const from = merge === null ? head : (await objects.open(repoId).readCommit(merge)).parents[0];
      return from === undefined ? '' : await diff(repoId, { from, to: other, sinceFork: true });
    } catch (error) {
      if (error instanceof GitFault && error.kind === 'missing') return '';
      throw error;
    }
  };

  return { diff, diffOfProposal };
}
