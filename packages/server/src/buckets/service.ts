import type { LargeFiles, XetFacts } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { JoinTopic } from '../platform/queue/broadcast.ts';
import { createSignals } from '../platform/queue/signals.ts';
import { createBatch } from './batch.ts';
import { createBucketDownload } from './download.ts';
import { createBucketReading } from './reading.ts';
import { createReadingBack, type MakeFile } from './reading-back.ts';
import { createBucketStreams } from './stream.ts';
import { createWritingOut } from './writing-out.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly largeFiles: LargeFiles;
  readonly linksTo: XetFacts['linksTo'];
  readonly makeFile: MakeFile;
  readonly join: JoinTopic;
}

export type Buckets = ReturnType<typeof createBuckets>;

/** The files of buckets. */
export function createBuckets({ database, clock, events, largeFiles, linksTo, makeFile, join }: Dependencies) {
  const signals = createSignals(join, 'bucket-streams');
  const streams = createBucketStreams({ database, signals });
  const change = createBatch({ database, clock, events, largeFiles, signals });
  return {
    ...createBucketReading(database),
    download: createBucketDownload({ read: database.read, largeFiles, linksTo }),
    change,
    /** The files of buckets in folders, for the hub's own use. */
    folders: {
      writeOut: createWritingOut({ read: database.read, largeFiles }),
      readBack: createReadingBack({ change, makeFile, maxBytes: largeFiles.maxBytes }),
    },
    follow: streams.open,
    closeStreams: streams.close,
  };
}
