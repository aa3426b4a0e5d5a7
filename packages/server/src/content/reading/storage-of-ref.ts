import { createPause } from '../../platform/cooperative.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { changedEntries } from '../../platform/git/diffing/changed-entries.ts';
import { commitsOnlyIn } from '../../platform/git/merging/merge-bases.ts';
import { isModule } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { bytesCommittedFirstAt } from '../large-files/grant-store.ts';
import type { RepositoryObjects } from '../objects.ts';
import { allRefs } from '../store.ts';
import type { ReadBlobFacts } from './blob-facts.ts';

/** Bound the work of one estimate; what lies beyond counts nothing. */
const MAX_COMMITS = 1_000;
const MAX_FILES = 50_000;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
  readonly factsOf: ReadBlobFacts;
}

/** Estimates the bytes of the large files of a repository that only one ref leads to. */
export type StorageOfRef = (repoId: string, ref: string) => Promise<number>;

/** Returns a function that adds up the large files that the own commits of a ref brought to its repository. */
export function createStorageOfRef({ read, objects, factsOf }: Dependencies): StorageOfRef {
  async function pointersIn(repository: GitRepository, commits: readonly string[]): Promise<Set<string>> {
    const sha256s = new Set<string>();
    const pause = createPause();
    let seen = 0;
    for (const commit of commits.slice(0, MAX_COMMITS)) {
      const { tree: after, parents } = await repository.readCommit(commit);
      const before = parents[0] === undefined ? undefined : (await repository.readCommit(parents[0])).tree;
      for await (const { after: entry } of changedEntries(repository, { before, after }, pause)) {
        if (++seen > MAX_FILES) return sha256s;
        if (!entry || isModule(entry)) continue;
        const { pointer } = await factsOf(repository, entry.id);
        if (pointer) sha256s.add(pointer.sha256);
      }
    }
    return sha256s;
  }

  return async (repoId, ref) => {
    const refs = await allRefs(read, repoId);
    const head = refs.find((each) => each.ref === ref)?.sha;
    const others = [...new Set(refs.filter((each) => each.ref !== ref).map(({ sha }) => sha))];
    if (head === undefined || others.includes(head)) return 0;
    const repository = objects.open(repoId);
    const own = await commitsOnlyIn(repository, head, others, createPause());
    return bytesCommittedFirstAt(read, repoId, ref, [...(await pointersIn(repository, own))]);
  };
}
