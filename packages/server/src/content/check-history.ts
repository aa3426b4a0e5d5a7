import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { GitStore } from '../platform/git/git-store.ts';
import { fsck } from '../platform/git/stock/fsck.ts';
import { refOf } from './refs-on-disk.ts';
import { absentRoots } from './root-objects.ts';
import { refsWithTags } from './store.ts';

/**
 * Gives a copy of a repository its root commits and refs from their rows, and returns the first faults that git finds. Throws
 * `GitUnavailable` if there is no git.
 */
export async function checkHistory(
  read: ReadExecutor,
  store: GitStore,
  repoId: string,
  signal?: AbortSignal,
): Promise<string[]> {
  await store.create(repoId);
  await store.writeLoose(repoId, await absentRoots(read, repoId, store.open(repoId)));
  await store.writeRefs(repoId, (await refsWithTags(read, repoId)).map(refOf));
  return await fsck(store.folderOf(repoId), signal);
}
