import * as z from 'zod';
import { QueryTime } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { BucketParams } from './bucket-files.ts';

/** What happened to one file of a bucket (B§9). A deleted file has its path alone. */
export interface BucketChange {
  readonly path: string;
  readonly op: 'add' | 'update' | 'delete';
  readonly size?: number;
  readonly xetHash?: string;
  readonly uploadedAt?: string;
  readonly mtime?: string;
}

/** The data of the events of `streamBucketChanges`, by their names. */
export interface BucketEvents {
  /** What was asked for has been sent; what follows happens from now on. Without a cursor, nothing has happened yet. */
  readonly ready: { readonly cursor?: string };
  readonly changes: { readonly cursor: string; readonly changes: readonly BucketChange[] };
  /** The hub no longer has all that came after the cursor or the time: the reader lists the files anew. */
  readonly reset: { readonly reason: string };
  /** The hub stops. */
  readonly reconnect: { readonly cursor?: string };
}

export const streamBucketChanges = defineRoute({
  id: 'streamBucketChanges',
  method: 'GET',
  path: '/api/buckets/{namespace}/{repo}/events',
  summary: 'Follow the changes of a bucket',
  description:
    'Server-sent events. `changes` (`{cursor, changes: [{path, op, size, xetHash, uploadedAt, mtime}]}`, `op` being `add`, ' +
    '`update` or `delete`) is what one transaction changed. With `cursor`, the stream begins after those changes, with ' +
    '`since` at that time, otherwise now. `ready` (`{cursor?}`) follows what had happened already; `reset` (`{reason}`) says ' +
    'that the hub no longer has all of it, and `reconnect` (`{cursor?}`) that the hub stops; both end the stream. Changes are ' +
    'kept for a day.',
  tags: ['buckets'],
  authority: 'repo.content.read',
  params: BucketParams,
  query: z.object({
    cursor: z.string().max(200).optional().meta({ description: 'From an event of an earlier stream.' }),
    since: QueryTime.optional().meta({
      description: 'For example `updatedAt` of the bucket. `cursor` goes before it.',
    }),
  }),
  answers: {},
  otherAnswers: {
    200: 'Events as `text/event-stream`, until either side closes or the caller can no longer read the bucket.',
    429: 'Too many streams of this user.',
  },
});

export const bucketEventRoutes = [streamBucketChanges] as const;
