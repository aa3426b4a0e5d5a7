import type { Pause } from '../../cooperative.ts';
import { encodeCommit } from '../objects/commit.ts';
import type { GitRepository } from '../repository.ts';
import { mergeBases } from './merge-bases.ts';
import { type MergeObjects, Overlay } from './merge-objects.ts';
import { type MergedTree, mergeTrees, type TreeMerging } from './merge-trees.ts';

/** Bounds the merges of bases for one merge; further bases are ignored. */
const MAX_BASE_MERGES = 64;

interface CommitMerging {
  /** Stores an object of the merged tree; returns its id. */
  readonly add: MergeObjects['add'];
  /** Returns whether a file must come whole from one side. */
  readonly isOpaque: (body: Buffer) => boolean;
  readonly pause: Pause;
}

/** Merges the best common ancestors of two commits into one base tree, as git does. */
class Bases {
  readonly #overlay: Overlay;
  readonly #merging: TreeMerging;
  #remaining = MAX_BASE_MERGES;

  constructor(overlay: Overlay, merging: Omit<TreeMerging, 'objects'>) {
    this.#overlay = overlay;
    this.#merging = { ...merging, objects: overlay };
  }

  /** Returns the base tree of two commits, or undefined if they have no common ancestor. */
  async treeFor(ours: string, theirs: string): Promise<string | undefined> {
    const [first, ...others] = await mergeBases(this.#overlay, ours, theirs, this.#merging.pause);
    if (first === undefined) return undefined;
    let base = first;
    for (const other of others) {
      if (this.#remaining === 0) break;
      this.#remaining--;
      base = await this.#merge(base, other);
    }
    return (await this.#overlay.readCommit(base)).tree;
  }

  async #merge(one: string, other: string): Promise<string> {
    const base = await this.treeFor(one, other);
    const [ours, theirs] = [await this.#overlay.readCommit(one), await this.#overlay.readCommit(other)];
    const { tree } = await mergeTrees(this.#merging, { base, ours: ours.tree, theirs: theirs.tree });
    const newer = ours.committer.time > theirs.committer.time ? ours : theirs;
    const { author, committer } = newer;
    const body = encodeCommit({ tree, parents: [one, other], author, committer, message: 'merge bases' });
    return this.#overlay.add({ type: 'commit', body });
  }
}

/** Performs a three-way merge of two commits without rename detection; writes only through `add`. */
export async function mergeCommits(
  repository: GitRepository,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
  { add, isOpaque, pause }: CommitMerging,
): Promise<MergedTree> {
  const overlay = new Overlay(repository);
  const base = await new Bases(overlay, { isOpaque, pause }).treeFor(ours, theirs);
  const [left, right] = [await repository.readCommit(ours), await repository.readCommit(theirs)];
  return mergeTrees(
    { objects: overlay.writingTo(add), isOpaque, pause },
    { base, ours: left.tree, theirs: right.tree },
  );
}
