import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    blobs: BlobRow;
    repo_files: RepoFileRow;
  }
}

/** Which tables a backup keeps, a table after those that it refers to; the bytes are not in the database. */
export const CONTENT_BACKUP = {
  blobs: 'kept',
  repo_files: 'kept',
} satisfies TablePlan;

export type BlobState = 'arriving' | 'stored' | 'damaged' | 'deleting';

export interface BlobRow {
  sha256: string;
  size: number;
  state: BlobState;
  /** Since when it is known that no repository has it; null while one does. */
  unused_since: number | null;
  /** When its bytes were last compared with its name. */
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
