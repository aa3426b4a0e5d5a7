import type { JobEvent, JobLogLine } from '@moonbase/contract/jobs/jobs';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { createLiveStreams, type LiveStream } from '../../platform/http/live-stream.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import type { Runner } from '../runners/runner.ts';
import { eventsAfter, hasEnded } from '../runs/store.ts';
import type { JobRow } from '../tables.ts';
import { measuresOf } from './measures.ts';
import { piecesFrom } from './store.ts';

export type JobStreams = ReturnType<typeof createJobStreams>;

/** The interval at which a stream checks for news without a signal. */
const POLL_MS = 1_000;
/** Clients expect a heartbeat at this interval (W§1.2). */
const HEARTBEAT_MS = 30_000;
const KEEP_ALIVE = ': keep-alive\n\n';
const MAX_STREAMS = 50;

const dataOf = (value: JobLogLine | JobEvent): string => `data: ${JSON.stringify(value)}\n\n`;

/** Reads from a position. Returns the events to send, and the position after them. */
type Read<Position> = (position: Position) => Promise<{ readonly text: string; readonly position: Position }>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly runner: Runner;
  readonly signals: Signals;
}

/** Streams the logs, events and measurements of jobs, from the beginning and live. */
export function createJobStreams({ database, clock, runner, signals }: Dependencies) {
  const streams = createLiveStreams({ signals, maxPerUser: MAX_STREAMS });

  async function* follow<P>(
    jobId: string,
    from: P,
    read: Read<P>,
    { nudge, ended: closed }: LiveStream,
    requireAllowed: () => Promise<unknown>,
  ) {
    let position = from;
    let waited = 0;
    let authorizedAt = performance.now();
    /** Throws if the reader may no longer read; checks at most once a second. */
    const reauthorize = async () => {
      if (performance.now() - authorizedAt < POLL_MS) return;
      await requireAllowed();
      authorizedAt = performance.now();
    };
    do {
      // The end is checked before the read, so that nothing recorded before the end is missed.
      const ended = await hasEnded(database.read, jobId);
      for (let more = true; more; ) {
        const next = await read(position);
        more = next.text !== '';
        position = next.position;
        if (more) {
          await reauthorize();
          yield next.text;
        }
      }
      if (ended) return;
      waited += POLL_MS;
      if (waited >= HEARTBEAT_MS) {
        waited = 0;
        await requireAllowed();
        yield KEEP_ALIVE;
      }
      await nudge.wait(POLL_MS, closed);
    } while (!closed.aborted);
  }

  const streamOf = <P>(caller: Caller, jobId: string, from: P, read: Read<P>, requireAllowed: () => Promise<unknown>) =>
    streams.open(caller, jobId, (stream) => follow(jobId, from, read, stream, requireAllowed));

  return {
    logs(caller: Caller, jobId: string, from: number, requireAllowed: () => Promise<unknown>) {
      return streamOf(
        caller,
        jobId,
        from,
        async (line) => {
          const pieces = await piecesFrom(database.read, jobId, line);
          const lines = pieces.flatMap((piece) =>
            piece.text
              .split('\n')
              .slice(Math.max(0, line - piece.line))
              .map((data) => dataOf({ data, timestamp: timestamp(piece.at) })),
          );
          return { text: lines.join(''), position: line + lines.length };
        },
        requireAllowed,
      );
    },

    metrics(caller: Caller, job: JobRow, requireAllowed: () => Promise<unknown>) {
      return streamOf(caller, job.id, undefined, measuresOf(job, { database, runner, clock }), requireAllowed);
    },

    events(caller: Caller, jobId: string, requireAllowed: () => Promise<unknown>) {
      return streamOf(
        caller,
        jobId,
        0,
        async (number) => {
          const rows = await eventsAfter(database.read, jobId, number);
          const texts = rows.map(({ at, reason, message }) => dataOf({ timestamp: timestamp(at), reason, message }));
          return { text: texts.join(''), position: rows.at(-1)?.number ?? number };
        },
        requireAllowed,
      );
    },

    close: streams.close,
  };
}
