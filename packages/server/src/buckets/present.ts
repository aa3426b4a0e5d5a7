import type { BucketChange } from '@moonbase/contract/repositories/bucket-events';
import type { BucketFile } from '@moonbase/contract/repositories/bucket-files';
import type { z } from 'zod';
import { timestamp } from '../platform/clock.ts';
import type { BucketFileRow } from './tables.ts';

export const presentFile = (row: BucketFileRow): z.input<typeof BucketFile> => ({
  type: 'file',
  path: row.path,
  size: row.size,
  xetHash: row.xet_hash,
  mtime: timestamp(row.mtime),
  uploadedAt: timestamp(row.uploaded_at),
  ...(row.content_type !== null && { contentType: row.content_type }),
});

/** Returns what a transaction did to the file at a path. */
export function presentChange(
  path: string,
  before: BucketFileRow | undefined,
  after: BucketFileRow | undefined,
): BucketChange {
  if (!after) return { path, op: 'delete' };
  const { size, xetHash, uploadedAt, mtime } = presentFile(after);
  return { path, op: before ? 'update' : 'add', size, xetHash, uploadedAt, mtime };
}
