import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BackupError } from '../../platform/backup/backup-error.ts';
import type { OnProgress } from '../../platform/backup/format.ts';
import { BlobError } from '../../platform/blobs/blob-store.ts';
import { createS3Objects } from '../../platform/blobs/s3/s3-objects.ts';
import type { S3Bucket } from '../../platform/blobs/s3/s3-requests.ts';
import { codeOf } from '../../platform/error-text.ts';
import { told } from './bucket-place.ts';

/** The names of whole backups that hubs make of themselves, which have the order of their times. */
const OF_A_HUB = /^moonbase-\d{4}-\d{2}-\d{2}T\d{6}Z\.backup$/;

const newestOf = (names: readonly string[]): string | undefined =>
  names
    .filter((name) => OF_A_HUB.test(name))
    .sort()
    .at(-1);

/** Returns the path of the newest backup in a folder. Throws a `BackupError` if there is none. */
export async function newestInFolder(folder: string): Promise<string> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const newest = newestOf(names);
  if (newest === undefined) throw new BackupError(`${folder} has no backup that a hub has made of itself.`);
  return join(folder, newest);
}

interface Fetching {
  /** The folder for the file. */
  readonly into: string;
  readonly progress: OnProgress;
  readonly signal: AbortSignal | undefined;
}

/**
 * Downloads the newest backup under a prefix of a bucket, and returns the path of the file. Throws a `BackupError` if there is
 * none, or an error with a sentence if the bucket fails.
 */
export async function downloadNewest(
  s3: S3Bucket,
  prefix: string,
  { into, progress, signal }: Fetching,
): Promise<string> {
  // Signatures need the real time.
  const objects = createS3Objects(s3, () => Date.now());
  try {
    const names: string[] = [];
    for await (const { key } of objects.list(prefix)) names.push(key.slice(prefix.length));
    const newest = newestOf(names);
    const bytes = newest === undefined ? undefined : await objects.get(prefix + newest);
    if (newest === undefined || bytes === undefined)
      throw new BackupError(
        `s3://${s3.bucket}/${prefix} has no backup that a hub has made of itself, or the keys may not list what it has.`,
      );
    const file = join(into, newest);
    const counted = async function* (source: AsyncIterable<Uint8Array>) {
      let pieces = 0;
      for await (const piece of source) {
        await progress({ table: 'pieces from the bucket', rows: ++pieces });
        yield piece;
      }
    };
    await pipeline(bytes, counted, createWriteStream(file, { mode: 0o600 }), signal ? { signal } : {});
    return file;
  } catch (error) {
    throw error instanceof BlobError ? told(error) : error;
  } finally {
    await objects.close();
  }
}
