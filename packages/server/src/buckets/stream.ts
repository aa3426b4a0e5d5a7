import type { BucketEvents } from '@moonbase/contract/repositories/bucket-events';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { type EventSource, HEARTBEAT, serverSentEvent } from '../platform/http/event-stream.ts';
import { createLiveStreams, type LiveStream } from '../platform/http/live-stream.ts';
import { encodeCursor, keyFromCursor } from '../platform/http/pagination.ts';
import type { Signals } from '../platform/queue/signals.ts';
import { type RepoName, type Repository, readRepoFiles } from '../repositories/index.ts';
import {
  type ChangesKey,
  changesAfter,
  firstSince,
  hasChanges,
  lastChanges,
  lastPrivateChanges,
} from './change-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly signals: Signals;
  /** How often a stream sends a heartbeat and looks at the bucket, and at the rights of its reader, without a signal. */
  readonly heartbeatMs?: number;
}

interface StreamRequest {
  readonly cursor?: string | undefined;
  /** Epoch milliseconds. */
  readonly since?: number | undefined;
  /** Returns the caller as of now. Throws 401 if the credentials are not valid any more. */
  readonly callerNow: () => Promise<Caller>;
}

/** The streams of one user: a client has one for each bucket that it follows. */
const MAX_STREAMS = 50;
/** The changes that are read at once, each of up to 1,000 files. */
const PAGE = 10;
const CURSOR = /^([0-9a-f]{24}) (\d{1,15}) (\d{1,15})$/;

const event = <Name extends keyof BucketEvents>(name: Name, data: BucketEvents[Name]): string =>
  serverSentEvent(name, JSON.stringify(data));

const cursorOf = ({ bucket_id, number, at }: ChangesKey): string => encodeCursor(`${bucket_id} ${number} ${at}`);

/** The changes after which a stream begins; undefined if none are known yet, `lost` if the hub does not have what follows. */
type Start = ChangesKey | undefined | 'lost';

/** Live streams of what changes in buckets (B§9). */
export function createBucketStreams({ database, signals, heartbeatMs = 15_000 }: Dependencies) {
  const { read } = database;
  const streams = createLiveStreams({ signals, maxPerUser: MAX_STREAMS });

  async function placeOf({ id, last_modified }: Repository, { cursor, since }: StreamRequest): Promise<Start> {
    if (cursor !== undefined) {
      const [, bucket_id = '', number, at] = keyFromCursor(cursor, CURSOR);
      const key = { bucket_id, number: Number(number), at: Number(at) };
      return bucket_id === id && (await hasChanges(read, key)) ? key : 'lost';
    }
    if (since === undefined) return lastChanges(read, id);
    const first = await firstSince(read, id, since);
    if (first === undefined) return since < last_modified ? 'lost' : lastChanges(read, id);
    const before = await lastChanges(read, id, first);
    // Where none is kept from before, these are all if they are the first ever, or the last.
    return before || first === 1 || since === last_modified ? before : 'lost';
  }

  /** Returns where a stream begins. What happened while a bucket was private is not told after it has become public. */
  async function startOf(repo: Repository, request: StreamRequest): Promise<Start> {
    const start = await placeOf(repo, request);
    if (start === 'lost' || repo.private === 1) return start;
    const hidden = await lastPrivateChanges(read, repo.id);
    if (!hidden || hidden.number <= (start?.number ?? 0)) return start;
    return request.cursor === undefined && hidden.at === request.since ? hidden : 'lost';
  }

  /** Sends the changes after `start`, as they come; throws where the reader may no longer read the bucket. */
  async function* follow(
    bucketId: string,
    start: Start,
    requireAllowed: () => Promise<void>,
    { nudge, ended }: LiveStream,
  ): AsyncGenerator<string> {
    if (start === 'lost') {
      yield event('reset', { reason: 'The hub no longer has all changes since then; list the files anew' });
      return;
    }
    let last = start;
    const resume = () => (last ? { cursor: cursorOf(last) } : {});
    for (let isReady = false; !ended.aborted; await nudge.wait(heartbeatMs, ended)) {
      await requireAllowed();
      for (let rows = await next(bucketId, last); rows.length > 0; rows = await next(bucketId, last))
        for (const row of rows) {
          await requireAllowed();
          yield serverSentEvent('changes' satisfies keyof BucketEvents, dataOf(row));
          last = row;
        }
      yield isReady ? HEARTBEAT : event('ready', resume());
      isReady = true;
    }
    yield event('reconnect', resume());
  }

  /** Returns the next changes once they are durable. */
  async function next(bucketId: string, last: ChangesKey | undefined) {
    const rows = await changesAfter(read, bucketId, last?.number ?? 0, PAGE);
    if (rows.length > 0) await database.durable();
    return rows;
  }

  return {
    /** Opens a stream. Throws 404 for a bucket that the caller may not read, 400 for a cursor of no stream, 429 for too many. */
    open: async (caller: Caller, name: RepoName, request: StreamRequest): Promise<EventSource> => {
      const repo = await readRepoFiles(read, caller, name);
      const start = await startOf(repo, request);
      const requireAllowed = async () => {
        const now = await readRepoFiles(read, await request.callerNow(), name);
        if (now.id !== repo.id) throw notFound('The bucket was deleted');
      };
      return streams.open(caller, repo.id, (stream) => follow(repo.id, start, requireAllowed, stream));
    },

    /** Ends all streams and refuses new ones. */
    close: streams.close,
  };
}

/** Returns the data of an event; the changes are sent as they are stored. */
const dataOf = (row: ChangesKey & { readonly changes: string }): string =>
  `{"cursor":${JSON.stringify(cursorOf(row))},"changes":${row.changes}}`;
