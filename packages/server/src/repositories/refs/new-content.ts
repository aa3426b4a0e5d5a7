import type { Executor } from '../../platform/database/transaction.ts';
import { MAIN } from '../policy.ts';
import { putRef, type Repository } from '../store.ts';
import { insertRootCommit } from './root-commit-store.ts';
import type { RootCommit } from './root-commits.ts';

/** What a repository begins with. Its objects are on the disk, or are commits without parents that are rows. */
export interface NewContent {
  /** What `main` holds. */
  readonly head: string;
  readonly roots: readonly RootCommit[];
  /** Further refs. */
  readonly refs?: readonly { readonly ref: string; readonly sha: string; readonly tagId: string | null }[];
  /** The repository that the content is a copy of, as `namespace/name`. */
  readonly copyOf?: string;
  /** What else is stored in the transaction that makes the repository. */
  readonly within?: (tx: Executor, repo: Repository) => Promise<void>;
}

/** Stores the refs and the root commits of a new repository. */
export async function insertContent(
  tx: Executor,
  repoId: string,
  { head, roots, refs = [] }: NewContent,
): Promise<void> {
  for (const root of roots) await insertRootCommit(tx, repoId, root);
  await putRef(tx, repoId, MAIN, head);
  for (const { ref, sha, tagId } of refs) if (ref !== MAIN) await putRef(tx, repoId, ref, sha, tagId);
}
