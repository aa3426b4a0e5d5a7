import { LRUCache } from 'lru-cache';
import { createPause, type Pause } from '../../platform/cooperative.ts';
import { treeDiff } from '../../platform/git/diffing/tree-diff.ts';
import { GitFault } from '../../platform/git/fault.ts';
import { mergeBases } from '../../platform/git/merging/merge-bases.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { createKeyedMutex } from '../../platform/mutex.ts';
import type { RepositoryObjects } from '../objects.ts';

/** Two commits to compare; with `sinceFork`, the second is compared with their merge base. */
export interface ComparedCommits {
  /** Undefined if the second commit is compared with an empty tree. */
  readonly from: string | undefined;
  readonly to: string;
  readonly sinceFork: boolean;
}

export type Diff = (repoId: string, compared: ComparedCommits) => Promise<string>;

/** A pull request and the head of its target branch. */
export interface Proposal {
  readonly repoId: string;
  /** The head of the branch; undefined if the branch has been deleted. */
  readonly head: string | undefined;
  readonly other: string;
  /** The commit that merged the pull request, if it was merged. */
  readonly merge: string | null;
}

/** Returns the changes of a pull request as a unified diff. */
export type DiffOfProposal = (proposal: Proposal) => Promise<string>;

const MAX_CACHED_BYTES = 16 * 1024 * 1024;

async function treeBefore(
  repository: GitRepository,
  { from, to, sinceFork }: ComparedCommits,
  pause: Pause,
): Promise<string | undefined> {
  if (from === undefined) return undefined;
  const [fork = from] = sinceFork ? await mergeBases(repository, from, to, pause) : [];
  return (await repository.readCommit(fork)).tree;
}

/** Compares commits; the comparisons of one repository run one after the other. */
export function createDiffs(objects: RepositoryObjects) {
  const runExclusive = createKeyedMutex();
  const cache = new LRUCache<string, string>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (text) => 2 * text.length + 256,
  });

  const diff: Diff = (repoId, compared) =>
    runExclusive(repoId, async () => {
      const key = [repoId, compared.from, compared.to, compared.sinceFork].join(' ');
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const pause = createPause();
      const repository = objects.open(repoId);
      const before = await treeBefore(repository, compared, pause);
      const { tree: after } = await repository.readCommit(compared.to);
      const text = await treeDiff(repository, { before, after }, pause);
      cache.set(key, text);
      return text;
    });

  /** Returns an empty diff if commits of a deleted ref are gone. */
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
