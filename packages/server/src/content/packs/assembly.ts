import { createS3Objects } from '../../platform/blobs/s3/s3-objects.ts';
import type { S3Bucket } from '../../platform/blobs/s3/s3-requests.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import type { WarningLogger } from '../../platform/logger.ts';
import type { DueLooks, GitUpkeep } from '../git-upkeep/due-looks.ts';
import { createBucketPacks } from './bucket-packs.ts';
import { createConsolidation } from './consolidation.ts';
import { createFolderCache } from './folder-cache.ts';
import { type MovedGit, moveToBucket } from './moving.ts';
import { createOwnership } from './ownership.ts';
import { createPackBucket } from './pack-bucket.ts';
import { createPackFetching } from './pack-fetching.ts';
import { createPackUpkeep } from './pack-upkeep.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: WarningLogger;
  readonly store: GitStore;
  readonly s3: S3Bucket;
  readonly cacheBytes: number;
}

export type BucketGit = ReturnType<typeof createBucketGit>;
type Moving = Parameters<typeof moveToBucket>[1];

/** Assembles the parts that keep git objects in a bucket. */
export function createBucketGit({ database, clock, logger, store, s3, cacheBytes }: Dependencies) {
  const { read } = database;
  // Signatures use the real time, not an injected clock.
  const objects = createS3Objects(s3, () => Date.now());
  const bucket = createPackBucket(objects);
  const cache = createFolderCache({ store, clock, logger, maxBytes: cacheBytes });
  const fetching = createPackFetching({ read, clock, logger, store, bucket, cache });
  const packs = createBucketPacks({ database, clock, store, bucket, fetching, cache });
  const ownership = createOwnership({ database, clock, bucket });
  const consolidate = createConsolidation({ read, store, packs, fetching });
  return {
    packs,
    ownership,
    /** Takes over the folders that an earlier process has left. */
    takeOver: () => cache.takeOver(),
    createUpkeep: (options: Pick<DueLooks, 'hold' | 'onRun'>): GitUpkeep =>
      createPackUpkeep({ ...{ database, clock, logger, bucket, packs, ownership, consolidate }, ...options }),
    move: (options: Moving): Promise<MovedGit> => moveToBucket({ read, store, packs, ownership }, options),
    /** Ends the work in the background and the connections to the bucket. */
    async close(): Promise<void> {
      const stopped = packs.stop();
      // Whatever is on its way to this machine breaks off.
      await objects.close();
      await stopped;
    },
  };
}
