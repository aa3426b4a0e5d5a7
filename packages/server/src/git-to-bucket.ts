import { join } from 'node:path';
import type { Config } from './config.ts';
import { createBucketGit, type MovedGit } from './content/index.ts';
import { databaseOf, GIT_FOLDER, migrations } from './infrastructure.ts';
import type { Progress } from './platform/backup/format.ts';
import { systemClock } from './platform/clock.ts';
import { isUsable } from './platform/database/migrate.ts';
import { IN_MEMORY } from './platform/database/sqlite/sqlite.ts';
import { openDatabase } from './platform/database/transaction.ts';
import { createGitStore } from './platform/git/git-store.ts';
import { createLogger } from './platform/logger.ts';

export type { MovedGit, Progress };

interface Options {
  readonly takeOver?: boolean | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Moves the git objects of a hub that is not running from its data folder into its bucket. May be repeated after an
 * interruption. Throws if the settings name no bucket, or the bucket belongs to another hub, unless `takeOver` is given.
 */
export async function gitToBucket(
  config: Config,
  { takeOver = false, onProgress = () => {} }: Options = {},
): Promise<MovedGit> {
  const { dataDir, git, largeFiles } = config;
  if (dataDir === IN_MEMORY) throw new Error('MOONBASE_DATA_DIR is :memory:, which has nothing to move.');
  if (git.store !== 'bucket' || !largeFiles.s3)
    throw new Error('Set MOONBASE_GIT_STORE=bucket and the settings of the bucket first.');
  await using database = openDatabase(databaseOf(config));
  if (!(await isUsable(database, migrations)))
    throw new Error('The database is of another version of Moonbase: run "moonbase migrate" first.');
  const bucketGit = createBucketGit({
    ...{
      database,
      clock: systemClock,
      logger: createLogger({ level: 'error', role: 'git-to-bucket' }),
      s3: largeFiles.s3,
    },
    store: createGitStore(join(dataDir, GIT_FOLDER), { durable: true }),
    // The folder is not a cache before all of it is in the bucket.
    cacheBytes: Number.POSITIVE_INFINITY,
  });
  try {
    return await bucketGit.move({ takeOver, onProgress });
  } finally {
    await bucketGit.close();
  }
}
