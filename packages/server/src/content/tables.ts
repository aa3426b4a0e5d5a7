import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    blobs: BlobRow;
    repo_files: RepoFileRow;
  }
}

/** Tables that a backup keeps, referenced tables first; the bytes of blobs are not in the database. */
export const CONTENT_BACKUP = {
  blobs: 'kept',
  repo_files: 'kept',
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
  /** Until when the blob is kept although no repository has it; null: for no time. */
  held_until: number | null;
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
