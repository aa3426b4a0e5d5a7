import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { IN_MEMORY } from '../database/sqlite/sqlite.ts';
import type { BlobStore } from './blob-store.ts';
import { createFolderStore } from './folder/folder-store.ts';
import type { S3Bucket } from './s3/s3-requests.ts';
import { createS3Store } from './s3/s3-store.ts';

/** The folder of large files in the data folder. */
export const BLOBS_FOLDER = 'blobs';

interface Options {
  readonly dataDir: string;
  /** Undefined if large files are stored in the data folder. */
  readonly s3: S3Bucket | undefined;
}

/** Opens the configured store; nothing is written before the first blob. */
export function openBlobStore({ dataDir, s3 }: Options): BlobStore {
  // File times and signatures use the real time, not an injected clock.
  const now = () => Date.now();
  if (s3) return createS3Store(s3, now);
  if (dataDir !== IN_MEMORY) return createFolderStore({ folder: resolve(dataDir, BLOBS_FOLDER), now });
  const folder = join(tmpdir(), `moonbase-blobs-${randomBytes(8).toString('hex')}`);
  return createFolderStore({ folder, now, temporary: true });
}
