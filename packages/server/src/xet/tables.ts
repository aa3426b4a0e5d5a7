import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    xorbs: XorbRow;
    xet_files: XetFileRow;
    xet_file_xorbs: XetFileXorbRow;
    xet_file_chunks: XetFileChunkRow;
    xet_uploads: XetUploadRow;
  }
}

/** Clients refer to xorbs for weeks and have no other way to files of buckets, so a restored hub needs these at once. */
export const XET_BACKUP = {
  xorbs: 'kept',
  xet_files: 'kept',
  xet_file_xorbs: 'kept',
  xet_file_chunks: 'kept',
  xet_uploads: 'kept',
} satisfies TablePlan;

export interface XorbRow {
  owner_id: string;
  /** The hash of the chunks, in the form of URLs. */
  hash: string;
  /** The blob: the chunks, and the index behind them. */
  sha256: string;
  /** The size of the blob. */
  size: number;
  chunks: number;
  /** When a file was last made of the xorb; null: never. */
  referenced_at: number | null;
}

export interface XetFileRow {
  sha256: string;
  /** The hash of the chunks, in the form of URLs; null: the file could not be read. */
  hash: string | null;
  size: number;
  /** The blob that lists the chunks: records of `readChunkList`. */
  chunks_sha256: string | null;
  /** When to read the file again after a failure. */
  retry_at: number | null;
}

export interface XetFileXorbRow {
  sha256: string;
  first_chunk: number;
  chunks: number;
  first_byte: number;
  bytes: number;
  /** The hash of the chunks as a xorb, in the form of URLs. */
  hash: string;
}

/** A chunk by which clients look for a file. */
export interface XetFileChunkRow {
  /** In the form of URLs. */
  chunk_hash: string;
  sha256: string;
  /** The number of the chunk in the file. */
  chunk: number;
}

/** A file that was sent to a bucket, until it has a path there. */
export interface XetUploadRow {
  repo_id: string;
  /** The hash of the chunks into which the client cut the file. */
  hash: string;
  sha256: string;
  size: number;
  /** The hash of the chunks into which the hub cut the file. */
  file_hash: string;
  /** When the file was last sent. */
  uploaded_at: number;
}
