import { isFolder, isModule } from '../../platform/git/objects/tree.ts';
import { listTree } from '../../platform/git/tree-walk.ts';
import type { Sibling } from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { ReadBlobFacts } from './blob-facts.ts';

/** Bounds the files in a repository's info; clients list the tree to see more. */
const MAX_SIBLINGS = 50_000;

/** Returns a function that lists the files of a commit, with sizes and ids on request. */
export const createSiblings =
  (objects: RepositoryObjects, factsOf: ReadBlobFacts) =>
  async (repoId: string, commit: string, blobs: boolean): Promise<Sibling[]> => {
    const repository = objects.open(repoId);
    const { tree } = await repository.readCommit(commit);
    const siblings: Sibling[] = [];
    for await (const entry of listTree(repository, tree, { prefix: '', recursive: true })) {
      if (isFolder(entry) || isModule(entry)) continue;
      if (siblings.length === MAX_SIBLINGS) break;
      const facts = blobs ? await factsOf(repository, entry.id) : undefined;
      siblings.push({
        rfilename: entry.path,
        ...(facts && { size: facts.pointer?.size ?? facts.size, blobId: entry.id }),
        ...(facts?.pointer && { lfs: { ...facts.pointer, pointerSize: facts.size } }),
      });
    }
    return siblings;
  };
