import { join } from 'node:path';
import { createS3Objects } from '../../platform/blobs/s3/s3-objects.ts';
import type { S3Bucket } from '../../platform/blobs/s3/s3-requests.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { makeFolder } from '../../platform/durable-folders.ts';
import { freshen } from '../../platform/files/stale-files.ts';
import { GitFault } from '../../platform/git/fault.ts';
import { createPackBucket } from './pack-bucket.ts';
import { packsOf } from './pack-store.ts';

const MAX_TRIES = 3;
const DURABLE = { durable: true } as const;

interface Target {
  readonly folderOf: (id: string) => string;
  create(id: string): Promise<void>;
}

/** Opens the packs of repositories in the bucket for a backup, which copies them into folders. */
export function openPackArchive(read: ReadExecutor, s3: S3Bucket) {
  const objects = createS3Objects(s3, () => Date.now());
  const bucket = createPackBucket(objects);

  const isThere = async (path: string): Promise<boolean> =>
    (await freshen(`${path}.pack`)) && (await freshen(`${path}.idx`));

  /** Returns the packs that cannot be copied: `gone` if others may have replaced them in the meantime. */
  async function copyMissing(id: string, folder: string): Promise<{ gone: string[]; damaged: string[] }> {
    const [gone, damaged]: [string[], string[]] = [[], []];
    for (const pack of await packsOf(read, id)) {
      if (pack.replacedBy !== null || (await isThere(join(folder, pack.name)))) continue;
      try {
        if (!(await bucket.download(id, pack, folder, DURABLE))) gone.push(`${id}/${pack.name}`);
      } catch (error) {
        if (!(error instanceof GitFault)) throw error;
        damaged.push(`${id}/${pack.name}`);
      }
    }
    return { gone, damaged };
  }

  return {
    /** Returns whether a repository has packs. */
    exists: async (id: string): Promise<boolean> => (await packsOf(read, id)).length > 0,

    /** Copies the missing packs of a repository; returns the names of those that are missing or damaged in the bucket. */
    async archive(id: string, to: Target): Promise<string[]> {
      await to.create(id);
      const folder = join(to.folderOf(id), 'objects', 'pack');
      await makeFolder(folder, DURABLE);
      for (let tries = 1; ; tries++) {
        const { gone, damaged } = await copyMissing(id, folder);
        if (gone.length === 0 || tries === MAX_TRIES) return [...gone, ...damaged];
      }
    },

    [Symbol.asyncDispose]: () => objects.close(),
  };
}
