import type { Executor } from '../../platform/database/transaction.ts';
import { MAIN } from '../policy.ts';
import { putRef, type Repository } from '../store.ts';
import { insertRootCommit } from './root-commit-store.ts';
import type { RootCommit } from './root-commits.ts';

/** The initial content of a repository; its objects are on the disk or are root commits, which are rows. */
export interface NewContent {
  /** The commit that `main` points to. */
  readonly head: string;
  readonly roots: readonly RootCommit[];
  /** Refs other than `main`. */
  readonly refs?: readonly { readonly ref: string; readonly sha: string; readonly tagId: string | null }[];
  /** The full name of the repository that the content was copied from. */
  readonly copyOf?: string;
  /** Runs in the transaction that inserts the repository. */
  readonly onInsert?: (tx: Executor, repo: Repository) => Promise<void>;
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
