import type { LargeFiles, XetFacts } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import { createBatch } from './batch.ts';
import { createBucketDownload } from './download.ts';
import { createBucketReading } from './reading.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly largeFiles: LargeFiles;
  readonly linksTo: XetFacts['linksTo'];
}

export type Buckets = ReturnType<typeof createBuckets>;

/** The files of buckets. */
export const createBuckets = ({ database, clock, events, largeFiles, linksTo }: Dependencies) => ({
  ...createBucketReading(database),
  download: createBucketDownload({ read: database.read, largeFiles, linksTo }),
  change: createBatch({ database, clock, events, largeFiles }),
});
