import type { JobEvent, JobLogLine } from '@moonbase/contract/jobs/jobs';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { JobRow } from '../../platform/database/tables.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { createNudge } from '../../platform/queue/nudge.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import type { Runner } from '../runners/runner.ts';
import { eventsAfter, hasEnded } from '../runs/store.ts';
import { measuresOf } from './measures.ts';
import { piecesFrom } from './store.ts';

export type JobStreams = ReturnType<typeof createJobStreams>;

/** Where nobody tells of news, they are looked for so often. */
const POLL_MS = 1_000;
/** Clients count on it (W§1.2). */
const HEARTBEAT_MS = 30_000;
const KEEP_ALIVE = ': keep-alive\n\n';
const MOST_STREAMS = 50;

const dataOf = (value: JobLogLine | JobEvent): string => `data: ${JSON.stringify(value)}\n\n`;

/** Reads on from a position: the events to send, and the position after them. */
type Read<Position> = (position: Position) => Promise<{ readonly text: string; readonly position: Position }>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly runner: Runner;
  readonly signals: Signals;
}

/** Logs and events of jobs, from their beginning and as they come. */
export function createJobStreams({ database, clock, runner, signals }: Dependencies) {
  const { executor } = database;
  const stopping = new AbortController();
  const open = new Map<string, number>();

  async function* follow<P>(
    jobId: string,
    from: P,
    read: Read<P>,
    wait: () => Promise<boolean>,
    allowed: () => Promise<unknown>,
  ) {
    let position = from;
    let waited = 0;
    let judgedAt = performance.now();
    /** Whoever lost the token, or what it may do or read, hears no more: asked before what is sent, at most each second. */
    const judge = async () => {
      if (performance.now() - judgedAt < POLL_MS) return;
      await allowed();
      judgedAt = performance.now();
    };
    do {
      // Asked before what it has written is read: then nothing comes after that.
      const ended = await hasEnded(executor, jobId);
      for (let more = true; more; ) {
        const next = await read(position);
        more = next.text !== '';
        position = next.position;
        if (more) {
          await judge();
          yield next.text;
        }
      }
      if (ended) return;
      waited += POLL_MS;
      if (waited >= HEARTBEAT_MS) {
        waited = 0;
        // Whoever lost the token, or what it may do, hears no more.
        await allowed();
        yield KEEP_ALIVE;
      }
    } while (await wait());
  }

  function streamOf<P>(
    { principal: { userId } }: Caller,
    jobId: string,
    from: P,
    read: Read<P>,
    allowed: () => Promise<unknown>,
  ) {
    if (stopping.signal.aborted) throw new HubError(503, 'The hub is stopping');
    const mine = open.get(userId) ?? 0;
    if (mine >= MOST_STREAMS)
      throw new HubError(429, `At most ${MOST_STREAMS} streams of one user can be open; close another one`);
    open.set(userId, mine + 1);
    return async function* (closed: AbortSignal): AsyncGenerator<string> {
      const ended = AbortSignal.any([closed, stopping.signal]);
      const nudge = createNudge();
      const stopListening = signals.listen(jobId, nudge);
      const end = () => {
        ended.removeEventListener('abort', end);
        stopListening();
        const left = (open.get(userId) ?? 1) - 1;
        if (left === 0) open.delete(userId);
        else open.set(userId, left);
      };
      ended.addEventListener('abort', end);
      if (ended.aborted) return end();
      const wait = async () => {
        await nudge.wait(POLL_MS, ended);
        return !ended.aborted;
      };
      yield* follow(jobId, from, read, wait, allowed);
    };
  }

  return {
    logs(caller: Caller, jobId: string, from: number, allowed: () => Promise<unknown>) {
      return streamOf(
        caller,
        jobId,
        from,
        async (line) => {
          const pieces = await piecesFrom(executor, jobId, line);
          const lines = pieces.flatMap((piece) =>
            piece.text
              .split('\n')
              .slice(Math.max(0, line - piece.line))
              .map((data) => dataOf({ data, timestamp: timestamp(piece.at) })),
          );
          return { text: lines.join(''), position: line + lines.length };
        },
        allowed,
      );
    },

    metrics(caller: Caller, job: JobRow, allowed: () => Promise<unknown>) {
      return streamOf(caller, job.id, undefined, measuresOf(job, { database, runner, clock }), allowed);
    },

    events(caller: Caller, jobId: string, allowed: () => Promise<unknown>) {
      return streamOf(
        caller,
        jobId,
        0,
        async (number) => {
          const rows = await eventsAfter(executor, jobId, number);
          const texts = rows.map(({ at, reason, message }) => dataOf({ timestamp: timestamp(at), reason, message }));
          return { text: texts.join(''), position: rows.at(-1)?.number ?? number };
        },
        allowed,
      );
    },

    /** Ends all streams, and opens no more. */
    close: () => stopping.abort(),
  };
}
