import type { LargeFiles, XetFacts } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { JoinTopic } from '../platform/queue/broadcast.ts';
import { createSignals } from '../platform/queue/signals.ts';
import { createBatch } from './batch.ts';
import { createBucketDownload } from './download.ts';
import { createBucketReading } from './reading.ts';
import { createBucketStreams } from './stream.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly largeFiles: LargeFiles;
  readonly linksTo: XetFacts['linksTo'];
  readonly join: JoinTopic;
}

export type Buckets = ReturnType<typeof createBuckets>;

/** The files of buckets. */
export function createBuckets({ database, clock, events, largeFiles, linksTo, join }: Dependencies) {
  const signals = createSignals(join, 'bucket-streams');
  const streams = createBucketStreams({ database, signals });
  return {
    ...createBucketReading(database),
    download: createBucketDownload({ read: database.read, largeFiles, linksTo }),
    change: createBatch({ database, clock, events, largeFiles, signals }),
    follow: streams.open,
    closeStreams: streams.close,
  };
}
