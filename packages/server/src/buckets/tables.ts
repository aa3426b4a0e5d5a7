import type { BucketChange } from '@moonbase/contract/repositories/bucket-events';
import type { Generated } from 'kysely';
import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, type RowOf, text } from '../platform/database/columns.ts';
import type { JsonText } from '../platform/stored-form.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    bucket_files: BucketFileRow;
    /** `changes` is the number of the last row of `bucket_changes`. */
    bucket_totals: { bucket_id: string; files: number; bytes: number; changes: Generated<number> };
    bucket_changes: BucketChangesRow;
  }
}

export const BUCKETS_BACKUP = {
  bucket_files: 'kept',
  bucket_totals: 'kept',
  bucket_changes: 'left out: those who follow a bucket begin anew',
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

/** What one transaction changed in a bucket. */
export interface BucketChangesRow {
  readonly bucket_id: string;
  readonly number: number;
  readonly at: number;
  /** 1 if the bucket was private then. */
  readonly private: number;
  readonly changes: JsonText<readonly BucketChange[]>;
}

export type BucketFileRow = RowOf<typeof BUCKET_FILE>;
