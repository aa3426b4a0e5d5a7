import type { ObjectWriter } from '../../platform/git/object-writer.ts';
import { encodeCommit } from '../../platform/git/objects/commit.ts';
import type { Person } from '../../platform/git/objects/person.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { changeTree, TreeConflict } from '../../platform/git/tree-changes.ts';
import type { Upload } from './upload.ts';

interface CommitContext {
  readonly repository: GitRepository;
  /** The writer that already has the blobs of the files. */
  readonly writer: ObjectWriter;
  readonly author: Person;
}

/**
 * Writes the trees and the commit on top of a head. Returns the id of the commit, or undefined if nothing would change.
 */
export async function makeCommit(
  { repository, writer, author }: CommitContext,
  head: string,
  { changes, summary, description }: Upload,
): Promise<string | undefined> {
  const before = await repository.readCommit(head);
  const tree = await changeTree(repository, (body) => writer.add({ type: 'tree', body }), before.tree, changes);
  if (tree === before.tree) return undefined;
  const message = description === '' ? summary : `${summary}\n\n${description}`;
  const body = encodeCommit({ tree, parents: [head], author, committer: author, message });
  const commit = await writer.add({ type: 'commit', body });
  await writer.finish();
  return commit;
}

/** Returns whether a head is the result of the same upload, sent before. */
export async function isRepeated(
  repository: GitRepository,
  head: string,
  { parentCommit, changes }: Upload,
): Promise<boolean> {
  const { parents, tree } = await repository.readCommit(head);
  if (parentCommit === undefined || parents[0] !== parentCommit) return false;
  const scratch = repository.writer();
  try {
    const base = await repository.readCommit(parentCommit);
    return tree === (await changeTree(repository, (body) => scratch.add({ type: 'tree', body }), base.tree, changes));
  } catch (error) {
    if (error instanceof TreeConflict) return false;
    throw error;
  } finally {
    await scratch.discard();
  }
}
