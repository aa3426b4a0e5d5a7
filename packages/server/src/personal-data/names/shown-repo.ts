import type { RepoType } from '@moonbase/contract/primitives';

interface Row {
  readonly repoType: RepoType | null;
  readonly repoName: string | null;
}

/** Presents a repository; null where the user may not read it now. */
export const shownRepo = ({ repoType, repoName }: Row) =>
  repoType !== null && repoName !== null ? { type: repoType, name: repoName } : null;
