import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    blobs: BlobRow;
    repo_files: RepoFileRow;
    git_upkeep: GitUpkeepRow;
    file_locks: FileLockRow;
    repo_packs: PackRow;
    git_buckets: { one: number; owner: string; since: number | null };
  }
}

/** Tables that a backup keeps, referenced tables first; the bytes of blobs are not in the database. */
export const CONTENT_BACKUP = {
  blobs: 'kept',
  repo_files: 'kept',
  git_upkeep: 'left out: figures of folders, and when to look at them; the upkeep of the restored hub begins anew',
  file_locks: 'kept',
  repo_packs: 'left out: says what is in a bucket; a backup has the same objects as files',
  git_buckets: 'left out: says which bucket has the objects; after a restore they are in the data folder',
} satisfies TablePlan;

export type BlobState = 'arriving' | 'stored' | 'damaged' | 'deleting';

export interface BlobRow {
  sha256: string;
  size: number;
  state: BlobState;
  /** The time since when the blob has been in no repository; null while a repository has it. */
  unused_since: number | null;
  /** The time when the bytes were last verified against the name. */
  checked_at: number;
  /** The repository that got or lost the blob last. */
  last_repo_id: string | null;
  /** The owner of that repository at the time. */
  last_owner_id: string | null;
  /** Until when the blob is kept although no repository has it; null: for no time. */
  held_until: number | null;
  /** The same for whoever may end it early; null: for no time. */
  kept_until: number | null;
}

export interface RepoFileRow {
  repo_id: string;
  sha256: string;
  size: number;
  pusher_id: string | null;
  pushed_at: number;
  filename: string | null;
  ref: string | null;
  /** The user for whose quota the file counts; null: it counts for the owner of the repository. */
  proposer_id: string | null;
}

export interface GitUpkeepRow {
  repo_id: string;
  /** The time to look at the folder; null until the repository changes. */
  due_at: number | null;
  /** The time to look for objects that no ref leads to; null if there were none and nothing has changed. */
  prune_at: number | null;
  /** The number of changes of refs since the last look. */
  changes: number;
  /** The time at which somebody asked for maintenance that has not been done. */
  requested_at: number | null;
  loose_objects: number;
  packs: number;
  packed_bytes: number;
  /** The number of packs after the last maintenance. */
  settled_packs: number;
  /** The end of the last maintenance. */
  maintained_at: number | null;
  duration_ms: number | null;
  /** When the last attempt began, or when it failed. */
  tried_at: number | null;
  failures: number;
  /** Why the last attempt failed; null if it succeeded. */
  fault: string | null;
}

export interface FileLockRow {
  id: string;
  repo_id: string;
  path: string;
  owner_id: string;
  locked_at: number;
}

/** `replaced` means that another pack has its objects as well. */
export type PackState = 'stored' | 'replaced' | 'deleting';

export interface PackRow {
  repo_id: string;
  name: string;
  bytes: number;
  objects: number;
  /** Whether the index is beside the pack; otherwise it follows from the pack. */
  indexed: number;
  /** The number of packs that this one replaced. */
  replaces: number;
  state: PackState;
  replaced_by: string | null;
  created_at: number;
  /** The time when the state changed. */
  changed_at: number;
}
