import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    bucket_files: BucketFileRow;
    bucket_totals: { bucket_id: string; files: number; bytes: number };
  }
}

export const BUCKETS_BACKUP = {
  bucket_files: 'kept',
  bucket_totals: 'kept',
} satisfies TablePlan;

export const BUCKET_FILE = {
  bucket_id: text(),
  path: text(),
  sha256: text(),
  /** The hash by which clients of Xet download the file. */
  xet_hash: text(),
  size: bigint(),
  /** When the file last changed, as its uploader says. */
  mtime: bigint(),
  uploaded_at: bigint(),
  content_type: text<string | null>(),
};

export type BucketFileRow = RowOf<typeof BUCKET_FILE>;
