import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    blobs: BlobRow;
    repo_files: RepoFileRow;
    repo_packs: PackRow;
    git_buckets: { one: number; owner: string; since: number | null };
  }
}

/** Tables that a backup keeps, referenced tables first; the bytes of blobs are not in the database. */
export const CONTENT_BACKUP = {
  blobs: 'kept',
  repo_files: 'kept',
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
}

export interface RepoFileRow {
  repo_id: string;
  sha256: string;
  size: number;
  pusher_id: string | null;
  pushed_at: number;
  filename: string | null;
  ref: string | null;
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
